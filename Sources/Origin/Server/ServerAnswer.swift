internal import ResumableServer

/// What the machines of the server answer; the client has a type of the same name.
typealias ServerAnswer = ResumableServer.UploadAnswer
