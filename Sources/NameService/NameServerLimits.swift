internal import Basics

/// What a name server takes at most.
package enum NameServerLimits {
    /// Connections of all clients; with more, the one that has been idle longest ends.
    package static let connections = 512
    /// Bytes that wait for a client that does not read; with more, its connection ends.
    package static let waitingBytes = 1 << 20
    /// Answers that wait for their time; further ones are lost.
    package static let delayedAnswers = 4_096
    /// Queries that another server is asked at once; further ones fail.
    package static let forwardedQueries = 256
    /// For how long a connection without a query stays open.
    static let idleTime = Duration.seconds(120)
    /// For how long another server's answer is awaited.
    static let answerTime = Duration.seconds(5)
}
