/** Horizon, or the RPC, over HTTP. */
import { createServer } from 'node:http'
import { type HorizonAnswer, Problem } from './horizon.ts'

interface Api {
  answer(method: string, url: URL, body: string): HorizonAnswer
}

export interface ApiServer {
  readonly url: string
  close(): Promise<void>
}

export async function serveApi(api: Api, port = 0): Promise<ApiServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const url = new URL(request.url ?? '/', 'http://localhost')
    const { status, body: answer, latestLedger } = answerTo(api, request.method ?? 'GET', url, body)
    if (latestLedger !== null) response.setHeader('latest-ledger', latestLedger)
    response.writeHead(status, { 'content-type': status === 200 ? 'application/hal+json' : problemType })
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const problemType = 'application/problem+json'

function answerTo(
  api: Api,
  method: string,
  url: URL,
  body: string,
): { readonly status: number; readonly body: unknown; readonly latestLedger: number | null } {
  try {
    return { status: 200, ...api.answer(method, url, body) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, body: error.body, latestLedger: null }
  }
}
