import sys

import httpx

with httpx.Client(http2=True, timeout=60) as client, open(sys.argv[2], "wb") as file:
    file.write(client.get(sys.argv[1]).content)
