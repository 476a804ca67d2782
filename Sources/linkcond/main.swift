import Commands

CommandLineTool.main()
