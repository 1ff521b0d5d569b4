/** Clients that begin something and are never heard of again; they neither read nor close. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What each has sent before it died, by its name. `large` is the path of an answer that no kernel's buffers hold. */
export function deadBeginnings(large: string): Readonly<Record<string, string>> {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  return {
    nothing: '',
    'half a header': 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Ha',
    'half a body': 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{',
    'half a chunk': 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{',
    nonsense: 'nonsense\r\n\r\n',
    'no host': 'GET / HTTP/1.1\r\n\r\n',
    'an expectation': 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: much\r\n\r\n',
    'CONNECT and more': 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\nclient hello',
    'an upgrade of nothing': `GET /nothing HTTP/1.1\r\nHost: localhost\r\n${upgrade}${key}\r\n`,
    'an upgrade of a stranger': `GET /inspect/ws HTTP/1.1\r\nHost: localhost\r\n${upgrade}${key}\r\n`,
    'an upgrade of another site': `GET /inspect/ws HTTP/1.1\r\nHost: a.example\r\n${upgrade}${key}\r\n`,
    'an upgrade without a key': `GET /inspect/ws HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`,
    'a request, and nothing': 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'the last request': 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    'a large answer unread': `GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(30),
  }
}

/** One that stays as it is until the listener has enough of it. */
export async function dieAfter(
  port: string | number,
  bytes: string,
  isHalfClosed = false,
  localAddress = '127.0.0.1',
): Promise<Socket> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve))
  if (isHalfClosed) socket.end()
  return socket
}
