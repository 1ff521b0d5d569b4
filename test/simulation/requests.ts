/** Requests handed straight to the application's listener, and the signatures of those who send them. */
import { createHmac } from 'node:crypto'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

export interface Message {
  method: string
  path: string
  body: string
  headers: Readonly<Record<string, string>>
}

export interface Answer {
  status: number
  text: string
}

/** As the contract has it, written anew: a fault in the program's own would otherwise sign and verify alike. */
export function signature(
  key: { name: string; secret: string },
  message: { date: string; method: string; path: string; body: string },
): string {
  const { date, method, path, body } = message
  return createHmac('sha256', key.secret)
    .update(`${key.name}:${date}:${method}:${path}:${body}`)
    .digest('hex')
}

/** @param at by the speaker's own clock, which has microseconds: two messages are never the same by accident. */
export function signed(
  key: { name: string; secret: string; kind: 'Merchant' | 'Provider' },
  { method, path, document, at }: { method: string; path: string; document?: unknown; at: number },
): Message {
  const body = document === undefined ? '' : JSON.stringify(document)
  const date = (at / 1000).toFixed(6)
  const headers: Record<string, string> = {
    host: 'pay.example',
    [`${key.kind}-Key`]: key.name,
    'Message-Date': date,
    'Message-Hash': signature(key, { date, method, path, body }),
  }
  if (body !== '') headers['Content-Type'] = 'application/json'
  return { method, path, body, headers }
}

export function deliver(listener: RequestListener, message: Message): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new IncomingMessage(new Socket())
    const names = Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    Object.assign(request, {
      method: message.method,
      url: message.path,
      httpVersion: '1.1',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
      headers: Object.fromEntries(names),
      headersDistinct: Object.fromEntries(names.map(([name, value]) => [name, [value]])),
      complete: true,
    })
    if (message.body !== '') {
      request.headers['content-length'] = String(Buffer.byteLength(message.body))
      request.push(message.body)
    }
    request.push(null)
    const response = new ServerResponse(request)
    response.end = ((chunk?: string | Buffer) => {
      resolve({ status: response.statusCode, text: chunk === undefined ? '' : String(chunk) })
      response.emit('finish')
      response.emit('close')
      return response
    }) as typeof response.end
    listener(request, response)
  })
}
