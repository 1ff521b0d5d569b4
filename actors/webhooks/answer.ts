/**
 * What a receiver answered, read with suspicion: it may be endless, enormous, or a few bytes that inflate to
 * gigabytes.
 */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export interface AnswerLimits {
  /** More than this is not read, neither as it comes nor inflated. */
  readBytes: number
  keptBytes: number
}

export interface Answer {
  /** The beginning, as text that every database can keep. */
  text: string
  /** How many bytes came before the answer ended or was cut. */
  bytes: number
  /** There was more than what was read. */
  isCut: boolean
}

/**
 * Reads an answer's body up to its limit and then lets the connection go.
 *
 * @throws the stream's error when the answer breaks off.
 */
export async function readAnswer(response: IncomingMessage, limits: AnswerLimits): Promise<Answer> {
  const { chunks, bytes } = await readChunks(response, limits.readBytes)
  if (bytes === 0) return { text: '', bytes, isCut: false }
  const raw = Buffer.concat(chunks).subarray(0, limits.readBytes)
  const decoder = decoderOf(response.headers['content-encoding'])
  const decoded = decoder === null ? raw : await inflate(raw, decoder, limits.readBytes)
  return {
    text: keepText(decoded, limits.keptBytes),
    bytes,
    isCut: bytes > limits.readBytes || decoded.length > limits.readBytes,
  }
}

/** By its events: an iterator would cost as much as all else that is done for a short answer. */
function readChunks(
  response: IncomingMessage,
  limitBytes: number,
): Promise<{ chunks: Buffer[]; bytes: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => resolve({ chunks, bytes })
    response.on('data', (chunk: Buffer) => {
      if (bytes > limitBytes) return
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= limitBytes) return
      end()
      // And with it its connection.
      response.destroy()
    })
    response.on('end', end)
    response.on('error', reject)
    response.on('close', () => reject(new Error('it was closed')))
  })
}

/** Identity is asked for; some receivers compress all the same. What we cut ends before its own end. */
function decoderOf(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return null
  }
}

/** Inflates until there is more than the limit. What cannot be inflated is empty: it is the status that counts. */
async function inflate(raw: Buffer, decoder: Transform, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of decoder.end(raw)) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('an answer is inflated to bytes')
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > limitBytes) break
    }
  } catch {
    return Buffer.concat(chunks)
  }
  return Buffer.concat(chunks)
}

/** Decodes the first bytes without half a character at the end, and without NULs, which PostgreSQL refuses. */
function keepText(bytes: Buffer, keptBytes: number): string {
  const text = new TextDecoder().decode(bytes.subarray(0, keptBytes), { stream: bytes.length > keptBytes })
  return text.replaceAll('\0', '\ufffd')
}
