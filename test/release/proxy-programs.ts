/** nginx, Caddy and HAProxy as the examples in docs/deploy have them, on ports and with certificates of a test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectPlainly } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { freePort } from '../support/free-port.ts'
import { selfSignedCertificate } from '../support/self-signed-certificate.ts'

export const proxyNames = ['nginx', 'caddy', 'haproxy'] as const
export type ProxyName = (typeof proxyNames)[number]

export interface RunningProxy {
  port: number
  stop(): Promise<void>
}

export interface Behind {
  /** Of each node's public listener; only HAProxy's example has several. */
  nodes: readonly URL[]
  console: URL
  /** Without TLS towards the world, where a test is not about it; HAProxy alone. */
  isPlain?: boolean
}

const deploy = join(import.meta.dirname, '../../docs/deploy')

export function hasProxy(name: ProxyName): boolean {
  const version = { nginx: '-v', caddy: 'version', haproxy: '-v' }[name]
  if (spawnSync(name, [version]).status === 0) return true
  console.log(`SKIP ${name} is not installed (Debian: ${name})`)
  return false
}

/** Resolves once it listens. */
export async function startProxy(name: ProxyName, folder: string, behind: Behind): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true })
  const { cert, key } = selfSignedCertificate(['pay.example', 'console.pay.example'])
  const files = {
    cert: join(folder, 'cert.pem'),
    key: join(folder, 'key.pem'),
    both: join(folder, 'both.pem'),
  }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  writeFileSync(files.both, cert + key)
  const port = await freePort()
  const [command, ...args] = { nginx, caddy, haproxy }[name](folder, { port, files, behind })
  const child = spawn(command ?? name, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder },
  })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk
  })
  while (!(await listens(port, behind))) {
    if (child.exitCode !== null) throw new Error(`${name} has ended: ${told}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { port, stop: () => stop(child) }
}

interface Setting {
  port: number
  files: Readonly<Record<'cert' | 'key' | 'both', string>>
  behind: Behind
}

function example(file: string, { nodes: [node], console }: Behind): string {
  const text = readFileSync(join(deploy, file), 'utf8')
  return text.replaceAll('127.0.0.1:8080', node?.host ?? '').replaceAll('127.0.0.1:8081', console.host)
}

function nginx(folder: string, { port, files, behind }: Setting): string[] {
  mkdirSync(join(folder, 'tmp'))
  const servers = example('nginx.conf', behind)
    .replaceAll('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replaceAll('listen [::]:443 ssl http2;', '')
    .replaceAll('/etc/ssl/pay.example.pem', files.cert)
    .replaceAll('/etc/ssl/pay.example.key', files.key)
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/tmp/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  const text = `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${own}\n${servers}}\n`
  writeFileSync(file, text)
  return ['nginx', '-p', folder, '-c', file]
}

function caddy(folder: string, { port, files, behind }: Setting): string[] {
  const sites = example('Caddyfile', behind).replaceAll(
    /^((?:console\.)?pay\.example) \{$/gm,
    `https://$1:${port} {\n\tbind 127.0.0.1\n\ttls ${files.cert} ${files.key}`,
  )
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n${sites}`)
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
}

function haproxy(folder: string, { port, files, behind }: Setting): string[] {
  const [first, ...others] = behind.nodes
  const more = others.map(({ host }, index) => `  server other${index} ${host}\n`).join('')
  const text = example('haproxy.cfg', behind)
    .replace(behind.isPlain ? /bind :443 .*/ : 'bind :443', `bind 127.0.0.1:${port}`)
    .replace('/etc/ssl/pay.example.pem', files.both)
    .replace(`  server first ${first?.host}\n`, (line) => line + more)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, text)
  return ['haproxy', '-db', '-f', file]
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function listens(port: number, { isPlain = false }: Behind): Promise<boolean> {
  return new Promise((resolve) => {
    const place = { host: '127.0.0.1', port }
    const socket = isPlain
      ? connectPlainly(place)
      : connect({ ...place, servername: 'pay.example', rejectUnauthorized: false })
    const open = isPlain ? 'connect' : 'secureConnect'
    socket.once(open, () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once(open, () => socket.end())
  })
}
