import { writeFileSync } from "node:fs";
import { connect } from "node:http2";

const url = new URL(process.argv[2]);
const session = connect(url.origin);
const parts = [];
for await (const part of session.request({ ":path": url.pathname })) parts.push(part);
session.close();
writeFileSync(process.argv[3], Buffer.concat(parts));
