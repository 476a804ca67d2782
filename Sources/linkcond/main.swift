import CommandLineTool

CommandLineTool.main()
