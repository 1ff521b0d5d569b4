/**
 * Hosts as network namespaces of this machine, each with two cables: one to the network on which the cluster speaks, one to
 * that of its clients. A cable can be pulled. Root is needed; all of it is removed with the process.
 */
import { spawnSync } from 'node:child_process'

export type Cable = 'cluster' | 'clients'

export interface NetworkHost<Name extends string> {
  name: Name
  /** Its address on each network. */
  address: Readonly<Record<Cable, string>>
  /** What a program's arguments begin with that shall run there. */
  within: readonly string[]
}

export interface HostNetwork<Name extends string> {
  hosts: readonly NetworkHost<Name>[]
  /** This process's own address on each network. */
  own: Readonly<Record<Cable, string>>
  pull(name: Name, cable: Cable): void
  plug(name: Name, cable: Cable): void
  /** Kills all that runs on a host. */
  powerOff(name: Name): void
}

const cables: readonly Cable[] = ['cluster', 'clients']
/** Two networks that are nobody's outside of this machine. */
const prefixes: Readonly<Record<Cable, string>> = { cluster: '10.231.1', clients: '10.231.2' }
const bridges: Readonly<Record<Cable, string>> = { cluster: 'vnt-cluster', clients: 'vnt-clients' }

function ip(...args: string[]): void {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

/** @returns why there can be none here, or null */
export function networkProblem(): string | null {
  try {
    ip('netns', 'add', 'vnt-try')
    ip('link', 'add', 'vnt-try0', 'type', 'veth', 'peer', 'name', 'vnt-try1')
    ip('link', 'add', 'vnt-tryb', 'type', 'bridge')
    return null
  } catch (error) {
    return String(error)
  } finally {
    for (const link of ['vnt-try0', 'vnt-tryb']) spawnSync('ip', ['link', 'del', link])
    spawnSync('ip', ['netns', 'del', 'vnt-try'])
  }
}

/** @throws Error where the machine allows none */
export function makeNetwork<const Name extends string>(names: readonly Name[]): HostNetwork<Name> {
  const namespace = (name: Name) => `vnt-${name}`
  /** This machine's end of a host's cable. */
  const end = (name: Name, cable: Cable) => `vnt-${name}-${cable.slice(0, 3)}`
  const powerOff = (name: Name) => killAll(processesIn(namespace(name)))
  const remove = () => {
    for (const name of names) powerOff(name)
    for (const name of names) spawnSync('ip', ['netns', 'del', namespace(name)])
    for (const cable of cables) spawnSync('ip', ['link', 'del', bridges[cable]])
  }
  remove()
  process.once('exit', remove)
  for (const cable of cables) {
    ip('link', 'add', bridges[cable], 'type', 'bridge')
    ip('address', 'add', `${prefixes[cable]}.254/24`, 'dev', bridges[cable])
    ip('link', 'set', bridges[cable], 'up')
  }
  const hosts = names.map((name, index): NetworkHost<Name> => {
    const place = namespace(name)
    ip('netns', 'add', place)
    ip('-n', place, 'link', 'set', 'lo', 'up')
    for (const cable of cables) {
      ip('link', 'add', end(name, cable), 'type', 'veth', 'peer', 'name', cable, 'netns', place)
      ip('link', 'set', end(name, cable), 'master', bridges[cable], 'up')
      ip('-n', place, 'address', 'add', `${prefixes[cable]}.${index + 1}/24`, 'dev', cable)
      ip('-n', place, 'link', 'set', cable, 'up')
    }
    const address = {
      cluster: `${prefixes.cluster}.${index + 1}`,
      clients: `${prefixes.clients}.${index + 1}`,
    }
    return { name, address, within: ['ip', 'netns', 'exec', place] }
  })
  return {
    hosts,
    own: { cluster: `${prefixes.cluster}.254`, clients: `${prefixes.clients}.254` },
    pull: (name, cable) => ip('link', 'set', end(name, cable), 'down'),
    plug: (name, cable) => ip('link', 'set', end(name, cable), 'up'),
    powerOff,
  }
}

function processesIn(namespace: string): number[] {
  const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean).map(Number)
}

/** All stand still before any dies: who outlives the others for a moment would go on without them. */
function killAll(processes: readonly number[]): void {
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const pid of processes) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended by itself meanwhile.
      }
    }
}
