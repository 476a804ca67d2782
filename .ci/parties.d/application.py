with open("served/object", "rb") as file:
    content = file.read()


async def app(scope, receive, send):
    if scope["type"] == "http":
        fields = [(b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": fields})
        await send({"type": "http.response.body", "body": content})
