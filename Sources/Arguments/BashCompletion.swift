/// The completion script for bash.
struct BashCompletion {
    package let table: CommandSet

    package func lines() -> [String] {
        [
            "# bash completion for linkcond; source it or put it in bash-completion's folder",
            "_linkcond() {",
            "    local line=${COMP_LINE:+${COMP_LINE:0:COMP_POINT}} piece=${COMP_WORDS[COMP_CWORD]}",
            "    [[ $line ]] || line=${COMP_WORDS[*]}",
            // bash splits words at : and =, of which faults and settings are full.
            "    local cur=${line##*[[:space:]]}",
            "    local before=${line%\"$cur\"}",
            "    before=${before%\"${before##*[![:space:]]}\"}",
            "    local prev=${before##*[[:space:]]}",
            "    [[ $piece == [:=] ]] && piece=''",
            "    local head=${cur%\"$piece\"}",
            "    local command=proxy options='' operands='' IFS=$' \\t\\n'",
            "    case \"${COMP_WORDS[1]}\" in",
        ]
            + table.commands.map { "        \($0.name)) command=\($0.name) ;;" }
            + ["    esac", "    if ((COMP_CWORD > 2)); then"]
            + ["        case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in"]
            + table.entries.filter { $0.path.count == 2 }.map {
                "            '\(path($0))') command='\(path($0))' ;;"
            }
            + ["        esac", "    fi", "    case \"$prev\" in"]
            + values()
            + ["    esac", "    case \"$command\" in"]
            + table.entries.map(words)
            + [
                "    esac",
                "    if [[ $cur == -* ]]; then",
                "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))",
                "        return",
                "    fi",
                "    if ((COMP_CWORD == 1)); then",
                "        COMPREPLY=($(compgen -W '\(commandNames)' -- \"$cur\"))",
                "        return",
                "    fi",
                "    COMPREPLY=($(compgen -W \"$operands\" -- \"$cur\")"
                    + " $(compgen -f -- \"$cur\"))",
                "    _linkcond_cut",
                "}",
                "_linkcond_cut() {",
                "    # Only what follows the last : or = is replaced; a place wants more.",
                "    COMPREPLY=(\"${COMPREPLY[@]#\"$head\"}\")",
                "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:+] ]] && compopt -o nospace 2>/dev/null",
                "}",
                "complete -o filenames -F _linkcond linkcond",
            ]
    }

    private var commandNames: String {
        table.commands.map(\.name).joined(separator: " ")
    }

    private func path(_ entry: CommandSet.Entry) -> String {
        entry.path.joined(separator: " ")
    }

    private func words(for entry: CommandSet.Entry) -> String {
        var options = entry.command.options.map { "--\($0.long)" }
        options += entry.command.options.compactMap { $0.short.map { "-\($0)" } }
        var operands = entry.command.subcommands.map(\.name)
        for operand in entry.command.operands {
            switch operand.value.completion {
            case .words, .helpSubject: operands += table.words(of: operand.value.completion)
            case .profile: operands.append("$(\(Completions.profileNames))")
            case .file, .nothing: break
            }
        }
        return "        '\(path(entry))') options='\(options.joined(separator: " "))'"
            + " operands=\"\(operands.joined(separator: " "))\" ;;"
    }

    /// What can follow an option that takes a value; equal for all commands that have it.
    private func values() -> [String] {
        var seen: [String] = []
        var lines: [String] = []
        for option in table.entries.flatMap(\.command.options) {
            guard let value = option.value, !seen.contains(option.long) else { continue }
            seen.append(option.long)
            let words: String
            switch value.completion {
            case .nothing: words = "COMPREPLY=()"
            case .file: words = "COMPREPLY=($(compgen -f -- \"$cur\"))"
            case .words, .helpSubject:
                // One word a line: some have characters that a list of words may not have.
                let list = table.words(of: value.completion).joined(separator: "\\n")
                words =
                    "local IFS=$'\\n'; COMPREPLY=($(compgen -W $'\(list)' -- \"$cur\")); _linkcond_cut"
            case .profile:
                words =
                    "COMPREPLY=($(compgen -W \"$(\(Completions.profileNames))\" -- \"$cur\")"
                    + " $(compgen -f -- \"$cur\"))"
            }
            lines.append("        --\(option.long)) \(words); return ;;")
        }
        return lines
    }
}
