/// The style of every report's page, with colours for light and dark, and the script of its copy
/// buttons.
enum PageStyle {
    static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#1c2127;--faint:#5c6670;--line:#d5dae0;\
        --panel:#f5f7f9;--good:#1a7f4b;--bad:#c02b34;--warn:#9a6200;--told:#1d5fc4;--new:#3f9d6c;\
        --again:#d9962b;--wait:#b7c0ca;--send:#8a63c9;--receive:#3f9d6c;--connect:#5b8def}\
        @media(prefers-color-scheme:dark){:root{--back:#15191e;--text:#e4e8ec;--faint:#9aa5b1;\
        --line:#333b45;--panel:#1d232a;--good:#53c98d;--bad:#ff7b82;--warn:#e8b04a;--told:#7db1ff;\
        --new:#3f9d6c;--again:#c98a26;--wait:#4a5563;--send:#9a78d6;--receive:#3f9d6c;\
        --connect:#5b8def}}\
        *{box-sizing:border-box}\
        body{margin:0 auto;max-width:1100px;padding:24px 20px 64px;background:var(--back);\
        color:var(--text);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\
        h1{font-size:22px;margin:0 0 4px}h2{font-size:19px;margin:0 0 2px}\
        h1+section{border:0;margin-top:8px;padding-top:0}h1 small{display:block;font-size:15px;font-weight:400}\
        pre{font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;\
        background:var(--panel);border-radius:8px;padding:10px 14px}\
        h3{font-size:15px;margin:24px 0 6px}h2[id]{margin-top:32px}\
        p{margin:4px 0}code,.mono{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}\
        a{color:var(--told)}section{border-top:1px solid var(--line);margin-top:28px;padding-top:22px}\
        .faint{color:var(--faint)}.pass{color:var(--good)}.fail{color:var(--bad)}\
        .inconclusive{color:var(--warn)}.skipped{color:var(--faint)}\
        .word{font-weight:600;white-space:nowrap}.honest{color:var(--told)}\
        .matrix{width:auto;margin:8px 0}.matrix .fail{background:var(--bad);color:var(--back);\
        font-weight:600}.matrix td,.matrix th{padding:1px 10px}table{overflow-wrap:normal}\
        table{border-collapse:collapse;width:100%}\
        th,td{text-align:left;vertical-align:top;padding:3px 12px 3px 0;font-weight:400}\
        thead th{color:var(--faint);font-size:13px;border-bottom:1px solid var(--line)}\
        .scroll{overflow-x:auto;--shade:color-mix(in srgb,var(--text) 35%,transparent);background:\
        linear-gradient(to right,var(--back) 50%,transparent) left/40px 100% no-repeat local,\
        linear-gradient(to left,var(--back) 50%,transparent) right/40px 100% no-repeat local,\
        linear-gradient(to right,var(--shade),transparent) left/16px 100% no-repeat,\
        linear-gradient(to left,var(--shade),transparent) right/16px 100% no-repeat}tr.evidence{background:var(--panel);box-shadow:inset 3px 0 0 var(--bad)}\
        tr:target{background:var(--panel);outline:2px solid var(--told)}\
        .matrix summary{margin:0;font-weight:400;overflow-wrap:anywhere;width:max-content;\
        max-width:min(26rem,42vw)}\
        .matrix ul{margin:2px 0 8px;padding:0 0 0 18px}.end{white-space:nowrap}\
        .matrix th:first-child{position:sticky;left:0;background:var(--back)}\
        .facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 16px;margin:8px 0}\
        .facts dt{color:var(--faint)}.facts dd{margin:0;grid-column:2}\
        .panel{background:var(--panel);border-radius:8px;padding:14px 16px;\
        margin:8px 0}\
        .chart td{padding:2px 10px 2px 0;vertical-align:middle;white-space:nowrap;font-size:13px}\
        .chart td:first-child{padding-left:8px}\
        .chart .bar{width:60%;min-width:240px}.chart .num{text-align:right;color:var(--faint);\
        font-variant-numeric:tabular-nums}\
        .chart .name{max-width:260px;overflow:hidden;text-overflow:ellipsis}\
        svg{display:block;overflow:visible}.defs{position:absolute;width:0;height:0}\
        .track{fill:var(--line);opacity:.45}.new{fill:var(--new)}.again{fill:url(#again)}\
        .missing{fill:none;stroke:var(--bad);stroke-dasharray:3 3}\
        .stripe{stroke:var(--back);stroke-width:3;opacity:.75}.ground{fill:var(--again)}\
        .cut{stroke:var(--bad);stroke-width:2.5;fill:none}\
        .told{fill:var(--told);stroke:var(--back);stroke-width:1}\
        .connect{fill:var(--connect)}.send{fill:var(--send)}.wait{fill:var(--wait)}\
        .receive{fill:var(--receive)}.tick{stroke:var(--line)}\
        text{fill:var(--faint);font:12px system-ui,sans-serif}\
        .legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px;color:var(--faint);\
        margin:8px 0 0}.legend span{display:flex;align-items:center;gap:6px}\
        .copy{display:flex;gap:10px;align-items:flex-start;background:var(--panel);\
        border-radius:8px;padding:10px 14px;margin:6px 0}\
        .copy code{flex:1;user-select:all}\
        button{font:13px system-ui,sans-serif;color:var(--text);background:var(--back);\
        border:1px solid var(--line);border-radius:6px;padding:2px 10px;cursor:pointer}\
        button:focus-visible,a:focus-visible,summary:focus-visible{outline:2px solid var(--told);\
        outline-offset:2px}\
        summary{cursor:pointer;font-weight:600;margin:22px 0 6px}\
        @media(max-width:600px){body{padding:16px 12px 48px}.copy{flex-direction:column}\
        .matrix td,.matrix th{padding:1px 7px}.matrix summary{font-size:13px}\
        .facts{display:block}.facts dd{margin:0 0 4px}\
        .chart tr{display:flex;flex-wrap:wrap;padding:2px 0}\
        .ladder td:first-child{flex:0 0 36px}.ladder td:nth-child(3){padding-left:36px}\
        .chart .bar{flex:1 0 calc(100% - 36px);min-width:0;width:auto}\
        .times .bar{flex-basis:100%;padding-left:8px}.times td:nth-child(4){padding-left:8px}\
        .chart .name{max-width:75%}\
        .checks thead{position:absolute;left:-9999px}\
        .checks tr{display:flex;flex-wrap:wrap;padding:6px 0}\
        .checks td:nth-child(n+3){flex:1 0 100%;padding-left:12px}\
        .checks td:nth-child(4)::before{content:"seen: ";color:var(--faint)}\
        .checks td:nth-child(5)::before{content:"allowed: ";color:var(--faint)}}\
        @media print{body{max-width:none}button{display:none}}
        """

    /// Shows the buttons, which without it could do nothing.
    static let script = """
        for(const b of document.querySelectorAll('button[data-for]')){b.hidden=false;\
        b.addEventListener('click',async()=>{const c=document.getElementById(b.dataset.for);\
        const done=()=>{b.textContent='Copied';setTimeout(()=>{b.textContent='Copy'},1500)};\
        try{await navigator.clipboard.writeText(c.textContent);done()}catch{\
        const r=document.createRange();r.selectNodeContents(c);const s=getSelection();\
        s.removeAllRanges();s.addRange(r);if(document.execCommand('copy'))done()}})}
        """
}
