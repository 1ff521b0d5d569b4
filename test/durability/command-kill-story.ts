/**
 * The program that is killed: `COMMAND write|sync N` performs the command, and is killed before its N-th write or sync; with 0 they
 * are only counted.
 */
import { openSync, writeSync } from 'node:fs'
import { killedCommands, perform } from './command-kill-world.ts'

const [name, operation, at] = process.argv.slice(2)
const command = killedCommands.find((one) => one === name)
if (command === undefined) throw new Error(`${name} is no command that is killed`)
const control = openSync(String(process.env.WRITE_LOG_CONTROL), 'a')
writeSync(control, `arm ${operation} KILL ${at === '0' ? 1_000_000_000 : at} 0`)
const { code, out, err } = await perform(command, String(process.env.WRITE_LOG_ROOT))
writeSync(control, 'report')
writeSync(control, 'disarm')
if (code !== 0) process.stderr.write(out + err)
process.exitCode = code
