package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	answer, err := http.Get(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[2], content, 0o666); err != nil {
		log.Fatal(err)
	}
}
