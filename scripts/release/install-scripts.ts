/**
 * Which packages may run a script when they are installed: an install script is run with the rights of whoever builds.
 * The lock file says which have one; each that has is named here, with why it needs none of it for a release, which
 * installs with `--ignore-scripts`.
 */

/** By name, whatever the version: a package that newly wants one is seen. */
const allowedInstallScripts: Readonly<Record<string, string>> = {
  '@foundry-rs/anvil': 'checks that its binary for this system is there; tests alone use it',
  '@swc/core': 'checks that its addon for this system is there; the build alone uses it',
  bufferutil: 'compiles an addon where none fits; optional, and kept out of the executable',
  esbuild: 'puts its binary for this system in the place of a script; the build alone uses it',
  'utf-8-validate': 'compiles an addon where none fits; optional, and kept out of the executable',
}

interface LockFile {
  packages?: Record<string, { hasInstallScript?: boolean; integrity?: string; link?: boolean }>
}

/** @returns what is wrong with a lock file, one line each */
export function lockFileProblems(
  { packages = {} }: LockFile,
  allowed: Readonly<Record<string, string>> = allowedInstallScripts,
): string[] {
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  const scripted = installed.filter(([, { hasInstallScript = false }]) => hasInstallScript)
  const names = new Set(scripted.map(([path]) => nameOf(path)))
  return [
    ...[...names]
      .filter((name) => !Object.hasOwn(allowed, name))
      .map((name) => `${name} has an install script, and nobody has allowed it`),
    ...Object.keys(allowed)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is allowed an install script and has none`),
    ...installed
      .filter(([, { integrity = '', link = false }]) => link || !integrity.startsWith('sha512-'))
      .map(([path]) => `${path} has no SHA-512 digest`),
  ]
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
