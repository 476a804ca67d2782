// What Node.js's llhttp says of each case of the standard input; cases.py describes the lines.
// Bytes are given one by one, so that the place of each callback is known.
'use strict';
const { HTTPParser, methods } = require('_http_common');
const readline = require('readline');

function trace(type, bytes, asked, answered) {
  const parser = new HTTPParser();
  parser.initialize(type, {}, 1 << 17, 0);
  const messages = [];
  let place = 0;
  let answer = 0;
  let stops = false;
  parser[HTTPParser.kOnMessageBegin] = () => {};
  parser[HTTPParser.kOnHeaders] = () => {};
  parser[HTTPParser.kOnHeadersComplete] = (major, minor, headers, method, url, status, reason, upgrade) => {
    messages.push({ headEnd: place, bytes: 0, digest: 0x811c9dc5, end: null });
    if (type === HTTPParser.REQUEST) {
      asked.push(methods[method]);
      stops = stops || upgrade;
      return 0;
    }
    const wanted = answered[answer];
    if (status >= 200 || status === 101) answer++;
    if (status === 101 || (wanted === 'CONNECT' && status >= 200 && status < 300)) {
      stops = true;
      return 2;
    }
    return wanted === 'HEAD' || status === 304 || status < 200 ? 1 : 0;
  };
  parser[HTTPParser.kOnBody] = (part) => {
    const message = messages[messages.length - 1];
    message.bytes += part.length;
    for (const byte of part) message.digest = Math.imul(message.digest ^ byte, 0x01000193) >>> 0;
  };
  parser[HTTPParser.kOnMessageComplete] = () => { messages[messages.length - 1].end = place; };
  let state = 'P';
  const ended = () => messages.length === 0 || messages[messages.length - 1].end !== null;
  for (let i = 0; i < bytes.length; i++) {
    place = i + 1;
    if (type === HTTPParser.RESPONSE && answer >= answered.length && ended()) {
      state = 'S';
      break;
    }
    const read = parser.execute(bytes.subarray(i, i + 1));
    if (read instanceof Error) {
      state = stops ? 'S' : 'E';
      break;
    }
    if (stops && messages.length > 0 && ended()) {
      state = 'S';
      break;
    }
  }
  parser.close();
  const words = messages.map((m) => `${m.headEnd}:${m.bytes}:${m.digest}:${m.end ?? '-'}`);
  return words.concat([state]).join(' ');
}

let output = '';
readline.createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => {
    const [client, server] = line.split(' ').map((text) => Buffer.from(text, 'hex'));
    const asked = [];
    const requests = trace(HTTPParser.REQUEST, client, asked, []);
    output += `${requests} | ${trace(HTTPParser.RESPONSE, server, [], asked)}\n`;
    if (output.length > 1 << 16) {
      process.stdout.write(output);
      output = '';
    }
  })
  .on('close', () => process.stdout.write(output));
