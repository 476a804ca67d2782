import sys

from curl_cffi import requests

with open(sys.argv[2], "wb") as file:
    file.write(requests.get(sys.argv[1], timeout=60).content)
