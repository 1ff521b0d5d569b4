/**
 * Writes what the clients take from the document that a node serves, in each of their languages: `npm run client-types`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { ApiDocument } from '../http/api/openapi/document.ts'
import { startNode } from '../node/node.ts'
import { loadSettings } from '../node/settings/config.ts'
import { phpClient } from './clients/php.ts'
import { pythonClient } from './clients/python.ts'
import { typescriptClient } from './clients/typescript.ts'

const root = join(import.meta.dirname, '..')

/** Each file that is made, by its place in the project. */
export function clientFiles(document: ApiDocument): Record<string, string> {
  return {
    'client/api.ts': typescriptClient(document),
    'client/python/ventanilla/api.py': pythonClient(document),
    'client/php/src/MerchantClient.php': phpClient(document, 'merchant'),
    'client/php/src/ProviderClient.php': phpClient(document, 'provider'),
  }
}

async function readDocument(): Promise<ApiDocument> {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-document-'))
  const env = {
    VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}`,
    VENTANILLA_HTTP_PORT: '0',
    VENTANILLA_OPERATOR_PORT: '0',
  }
  const settings = loadSettings({ cwd: directory, env })
  const node = await startNode({ settings, log: pino({ level: 'silent' }), ballastBytes: 0 })
  try {
    return JSON.parse(await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).text())
  } finally {
    await node.stop()
    rmSync(directory, { recursive: true })
  }
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(clientFiles(await readDocument()))) {
    writeFileSync(join(root, file), text)
  }
}
