"""The computer under the program: files, YAML and limits of what is read, the log, the terminal, systemd."""
