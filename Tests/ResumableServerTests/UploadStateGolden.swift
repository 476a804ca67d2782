/// How each kind of request is answered in each state, by protocol.
///
/// The upload has 100 bytes; 40 are there when it is `active`, all when it is `full`, which is not
/// complete. A cell has the status; `o` with `Upload-Offset`; `c` or `i` where the answer says
/// complete or incomplete; `l` for `Upload-Length`; `+` with the bytes by which the offset moved;
/// `>` with a new state. `wait` is answered when the target has answered, `cut` by nothing.
/// Nothing may stand here that the texts of the protocols do not say; a changed cell is a changed
/// protocol.
enum UploadStateGolden {
    static let text = """
        ietf-3          |absent|active                  |full                |finalising|complete  |cancelled|expired     |invalid|gone
        HEAD            |404   |204 o40 i               |204 o100 i          |204 o100 c|204 o100 c|404      |404 >expired|404    |404 >gone
        HEAD+offset     |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        HEAD+complete   |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        HEAD+length     |404   |204 o40 i               |204 o100 i          |204 o100 c|204 o100 c|404      |404 >expired|404    |404 >gone
        HEAD+version    |404   |204 o40 i               |204 o100 i          |204 o100 c|204 o100 c|404      |404 >expired|404    |404 >gone
        GET             |404   |405                     |405                 |405       |405       |404      |404 >expired|404    |404 >gone
        POST            |404   |405                     |405                 |405       |405       |404      |404 >expired|404    |404 >gone
        DELETE          |404   |204 >cancelled          |204 >cancelled      |204 >gone |204 >gone |404      |404 >expired|404    |404 >gone
        DELETE+offset   |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        rest            |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        rest-chunked    |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        rest-cut        |404   |cut +30                 |cut                 |cut       |cut       |404      |404 >expired|404    |404 >gone
        more            |404   |201 o70 i +30           |201 o100 i          |400       |400       |404      |404 >expired|404    |404 >gone
        more-chunked    |404   |201 o70 i +30           |201 o100 i          |400       |400       |404      |404 >expired|404    |404 >gone
        empty           |404   |400                     |201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        empty-more      |404   |201 o40 i               |201 o100 i          |400       |400       |404      |404 >expired|404    |404 >gone
        behind          |404   |409 o40                 |409 o100            |409 o100  |409 o100  |404      |404 >expired|404    |404 >gone
        beyond          |404   |409 o40                 |409 o100            |409 o100  |409 o100  |404      |404 >expired|404    |404 >gone
        no-offset       |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        bad-offset      |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        no-complete     |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        no-type         |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        length          |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        too-long        |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        too-long-chunked|404   |400 +60                 |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        ietf-5          |absent|active                  |full                |finalising|complete  |cancelled|expired     |invalid|gone
        HEAD            |404   |204 o40 i               |204 o100 i          |204 o100 c|204 o100 c|404      |404 >expired|404    |404 >gone
        HEAD+offset     |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        HEAD+complete   |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        HEAD+length     |404   |204 o40 i               |204 o100 i          |204 o100 c|204 o100 c|404      |404 >expired|404    |404 >gone
        HEAD+version    |404   |204 o40 i               |204 o100 i          |204 o100 c|204 o100 c|404      |404 >expired|404    |404 >gone
        GET             |404   |405                     |405                 |405       |405       |404      |404 >expired|404    |404 >gone
        POST            |404   |405                     |405                 |405       |405       |404      |404 >expired|404    |404 >gone
        DELETE          |404   |204 >cancelled          |204 >cancelled      |204 >gone |204 >gone |404      |404 >expired|404    |404 >gone
        DELETE+offset   |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        rest            |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        rest-chunked    |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        rest-cut        |404   |cut +30                 |cut                 |cut       |cut       |404      |404 >expired|404    |404 >gone
        more            |404   |201 o70 i +30           |201 o100 i          |400       |400       |404      |404 >expired|404    |404 >gone
        more-chunked    |404   |201 o70 i +30           |201 o100 i          |400       |400       |404      |404 >expired|404    |404 >gone
        empty           |404   |400                     |201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        empty-more      |404   |201 o40 i               |201 o100 i          |400       |400       |404      |404 >expired|404    |404 >gone
        behind          |404   |409 o40                 |409 o100            |409 o100  |409 o100  |404      |404 >expired|404    |404 >gone
        beyond          |404   |409 o40                 |409 o100            |409 o100  |409 o100  |404      |404 >expired|404    |404 >gone
        no-offset       |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        bad-offset      |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        no-complete     |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        no-type         |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        length          |404   |201 o100 c +60 >complete|201 o100 c >complete|wait      |201 o100 c|404      |404 >expired|404    |404 >gone
        too-long        |404   |400                     |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        too-long-chunked|404   |400 +60                 |400                 |400       |400       |404      |404 >expired|404    |404 >gone
        ietf-6          |absent|active                  |full                |finalising  |complete    |cancelled|expired     |invalid|gone
        HEAD            |404   |204 o40 i l             |204 o100 i l        |204 o100 c l|204 o100 c l|404      |404 >expired|404    |404 >gone
        HEAD+offset     |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        HEAD+complete   |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        HEAD+length     |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        HEAD+version    |404   |204 o40 i l             |204 o100 i l        |204 o100 c l|204 o100 c l|404      |404 >expired|404    |404 >gone
        GET             |404   |405                     |405                 |405         |405         |404      |404 >expired|404    |404 >gone
        POST            |404   |405                     |405                 |405         |405         |404      |404 >expired|404    |404 >gone
        DELETE          |404   |204 >cancelled          |204 >cancelled      |204 >gone   |204 >gone   |404      |404 >expired|404    |404 >gone
        DELETE+offset   |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        rest            |404   |201 o100 c +60 >complete|201 o100 c >complete|400         |400         |404      |404 >expired|404    |404 >gone
        rest-chunked    |404   |201 o100 c +60 >complete|201 o100 c >complete|400         |400         |404      |404 >expired|404    |404 >gone
        rest-cut        |404   |cut +30                 |cut                 |400         |400         |404      |404 >expired|404    |404 >gone
        more            |404   |201 o70 i +30           |201 o100 i          |400         |400         |404      |404 >expired|404    |404 >gone
        more-chunked    |404   |201 o70 i +30           |201 o100 i          |400         |400         |404      |404 >expired|404    |404 >gone
        empty           |404   |400                     |201 o100 c >complete|400         |400         |404      |404 >expired|404    |404 >gone
        empty-more      |404   |201 o40 i               |201 o100 i          |400         |400         |404      |404 >expired|404    |404 >gone
        behind          |404   |409 o40                 |409 o100            |400         |400         |404      |404 >expired|404    |404 >gone
        beyond          |404   |409 o40                 |409 o100            |400         |400         |404      |404 >expired|404    |404 >gone
        no-offset       |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        bad-offset      |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        no-complete     |404   |201 o100 c +60 >complete|201 o100 c >complete|400         |400         |404      |404 >expired|404    |404 >gone
        no-type         |404   |415                     |415                 |415         |415         |404      |404 >expired|404    |404 >gone
        length          |404   |400                     |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        too-long        |404   |400 +60                 |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        too-long-chunked|404   |400 +60                 |400                 |400         |400         |404      |404 >expired|404    |404 >gone
        ietf-8          |absent|active             |full           |finalising  |complete    |cancelled|expired     |invalid|gone
        HEAD            |404   |204 o40 i l        |204 o100 i l   |204 o100 c l|204 o100 c l|410      |410 >expired|404    |410 >gone
        HEAD+offset     |404   |204 o40 i l        |204 o100 i l   |204 o100 c l|204 o100 c l|410      |410 >expired|404    |410 >gone
        HEAD+complete   |404   |204 o40 i l        |204 o100 i l   |204 o100 c l|204 o100 c l|410      |410 >expired|404    |410 >gone
        HEAD+length     |404   |204 o40 i l        |204 o100 i l   |204 o100 c l|204 o100 c l|410      |410 >expired|404    |410 >gone
        HEAD+version    |404   |204 o40 i l        |204 o100 i l   |204 o100 c l|204 o100 c l|410      |410 >expired|404    |410 >gone
        GET             |404   |204 o40 i l        |204 o100 i l   |204 o100 c l|204 o100 c l|410      |410 >expired|404    |410 >gone
        POST            |404   |405                |405            |405         |405         |410      |410 >expired|404    |410 >gone
        DELETE          |404   |204 >cancelled     |204 >cancelled |204 >gone   |204 >gone   |410      |410 >expired|404    |410 >gone
        DELETE+offset   |404   |204 >cancelled     |204 >cancelled |204 >gone   |204 >gone   |410      |410 >expired|404    |410 >gone
        rest            |404   |201 c +60 >complete|201 c >complete|wait        |201 c       |410      |410 >expired|404    |410 >gone
        rest-chunked    |404   |201 c +60 >complete|201 c >complete|wait        |201 c       |410      |410 >expired|404    |410 >gone
        rest-cut        |404   |cut +30            |cut            |cut         |cut         |410      |410 >expired|404    |410 >gone
        more            |404   |204 i +30          |204 i          |400         |400         |410      |410 >expired|404    |410 >gone
        more-chunked    |404   |204 i +30          |204 i          |400         |400         |410      |410 >expired|404    |410 >gone
        empty           |404   |400                |201 c >complete|wait        |201 c       |410      |410 >expired|404    |410 >gone
        empty-more      |404   |204 i              |204 i          |400         |400         |410      |410 >expired|404    |410 >gone
        behind          |404   |409 o40 i          |409 o100 i     |409 o100 i  |409 o100 i  |410      |410 >expired|404    |410 >gone
        beyond          |404   |409 o40 i          |409 o100 i     |409 o100 i  |409 o100 i  |410      |410 >expired|404    |410 >gone
        no-offset       |404   |400                |400            |400         |400         |410      |410 >expired|404    |410 >gone
        bad-offset      |404   |400                |400            |400         |400         |410      |410 >expired|404    |410 >gone
        no-complete     |404   |400                |400            |400         |400         |410      |410 >expired|404    |410 >gone
        no-type         |404   |415                |415            |415         |415         |410      |410 >expired|404    |410 >gone
        length          |404   |400                |400            |400         |400         |410      |410 >expired|404    |410 >gone
        too-long        |404   |400 >invalid       |400 >invalid   |400         |400         |410      |410 >expired|404    |410 >gone
        too-long-chunked|404   |400 +60 >invalid   |400 >invalid   |400         |400         |410      |410 >expired|404    |410 >gone
        tus-1.0.0       |absent|active                |finalising|complete  |cancelled|expired     |invalid|gone
        HEAD            |404   |200 o40 l             |200 o100 l|200 o100 l|410      |410 >expired|404    |410 >gone
        HEAD+offset     |404   |200 o40 l             |200 o100 l|200 o100 l|410      |410 >expired|404    |410 >gone
        HEAD+complete   |404   |200 o40 l             |200 o100 l|200 o100 l|410      |410 >expired|404    |410 >gone
        HEAD+length     |404   |200 o40 l             |200 o100 l|200 o100 l|410      |410 >expired|404    |410 >gone
        HEAD+version    |412   |412                   |412       |412       |412      |412 >expired|412    |412 >gone
        GET             |404   |405                   |405       |405       |410      |410 >expired|404    |410 >gone
        POST            |404   |405                   |405       |405       |410      |410 >expired|404    |410 >gone
        DELETE          |404   |204 >cancelled        |204 >gone |204 >gone |410      |410 >expired|404    |410 >gone
        DELETE+offset   |404   |204 >cancelled        |204 >gone |204 >gone |410      |410 >expired|404    |410 >gone
        rest            |404   |204 o100 +60 >complete|wait      |204 o100  |410      |410 >expired|404    |410 >gone
        rest-chunked    |404   |204 o100 +60 >complete|wait      |204 o100  |410      |410 >expired|404    |410 >gone
        rest-cut        |404   |cut +30               |cut       |cut       |410      |410 >expired|404    |410 >gone
        more            |404   |204 o70 +30           |wait      |204 o100  |410      |410 >expired|404    |410 >gone
        more-chunked    |404   |204 o70 +30           |wait      |204 o100  |410      |410 >expired|404    |410 >gone
        empty           |404   |204 o40               |wait      |204 o100  |410      |410 >expired|404    |410 >gone
        empty-more      |404   |204 o40               |wait      |204 o100  |410      |410 >expired|404    |410 >gone
        behind          |404   |409 o40               |409 o100  |409 o100  |410      |410 >expired|404    |410 >gone
        beyond          |404   |409 o40               |409 o100  |409 o100  |410      |410 >expired|404    |410 >gone
        no-offset       |404   |400                   |400       |400       |410      |410 >expired|404    |410 >gone
        bad-offset      |404   |400                   |400       |400       |410      |410 >expired|404    |410 >gone
        no-complete     |404   |204 o100 +60 >complete|wait      |204 o100  |410      |410 >expired|404    |410 >gone
        no-type         |404   |415                   |415       |415       |410      |410 >expired|404    |410 >gone
        length          |404   |400                   |400       |400       |410      |410 >expired|404    |410 >gone
        too-long        |404   |413                   |413       |413       |410      |410 >expired|404    |410 >gone
        too-long-chunked|404   |413 +59               |wait      |413       |410      |410 >expired|404    |410 >gone
        """
}
