/**
 * The Dockerfile, as far as it can be checked where there is no Docker: a linter's rules on its syntax, and ours on
 * what becomes of it.
 */
import { readFileSync } from 'node:fs'
import { type Copy, type Dockerfile, DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const text = readFileSync(new URL('../../../docs/deploy/Dockerfile', import.meta.url), 'utf8')
const builder = readFileSync(new URL('../../../scripts/build-binary.ts', import.meta.url), 'utf8')
/** What `npm run build:binary` makes: the one thing that an image takes from the sources. */
const built = 'dist/ventanilla'

/** What is wrong with a Dockerfile; nothing when it is as a node needs it. */
function problemsOf(dockerfile: string): string[] {
  const parsed = DockerfileParser.parse(dockerfile)
  const rules = [baseProblems, userProblems, processProblems, sourceProblems]
  const linted = validate(dockerfile).map(({ message }) =>
    typeof message === 'string' ? message : message.value,
  )
  return [...linted, ...rules.flatMap((rule) => rule(parsed))]
}

/** An image that says `latest`, or nothing, is another one with each build. */
function baseProblems(dockerfile: Dockerfile): string[] {
  const isPinned = (tag: string | null, digest: string | null) =>
    digest !== null || (tag !== null && tag !== 'latest')
  return dockerfile
    .getFROMs()
    .filter((from) => !isPinned(from.getImageTag(), from.getImageDigest()))
    .map((from) => `${from.getImage()} is not pinned`)
}

const instructionsOf = (dockerfile: Dockerfile, keyword: string) =>
  dockerfile.getInstructions().filter((it) => it.getKeyword() === keyword)

function userProblems(dockerfile: Dockerfile): string[] {
  const last = instructionsOf(dockerfile, 'USER').at(-1)?.getArgumentsContent() ?? 'root'
  return /^(root|0)(:|$)/.test(last) ? ['it runs as root'] : []
}

/** In the shell's form, signals end the shell and not the node. */
function processProblems(dockerfile: Dockerfile): string[] {
  const entries = dockerfile.getENTRYPOINTs()
  const isList = entries.length === 1 && entries.every((it) => it.getOpeningBracket() !== null)
  const checks = dockerfile.getHEALTHCHECKs()
  return [
    ...(isList ? [] : ['its ENTRYPOINT is not one in the form of a list']),
    ...(checks.length === 1 ? [] : ['it has no HEALTHCHECK']),
  ]
}

function sourceProblems(dockerfile: Dockerfile): string[] {
  const added = instructionsOf(dockerfile, 'ADD').map(
    (add) => `ADD ${add.getArgumentsContent()}: COPY says what it does`,
  )
  const isFromStage = (copy: Copy) => copy.getFromFlag() !== null
  const sources = dockerfile
    .getCOPYs()
    .filter((copy) => !isFromStage(copy))
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((source) => source.getValue())
  return [...added, ...sources.filter((source) => source !== built).map((source) => `${source} is not built`)]
}

test('the Dockerfile is right', () => {
  assert.equal(problemsOf(text), [])
})

test('what it copies is what the build makes', () => {
  assert.ok(builder.includes(`join(root, '${built}')`))
})

const mistakes: [was: string, is: string, problem: RegExp][] = [
  ['STOPSIGNAL', 'STOPSINGAL', /Unknown instruction/],
  ['EXPOSE 8080', 'EXPOSE http', /Invalid containerPort/],
  ['WORKDIR /var', 'WORKDIR var', /should be absolute/],
  ['debian:bookworm-slim', 'debian', /debian is not pinned/],
  ['debian:bookworm-slim', 'debian:latest', /is not pinned/],
  ['USER 10001:10001', 'USER root', /runs as root/],
  ['USER 10001:10001', 'USER 0:0', /runs as root/],
  ['USER 10001:10001\n', '', /runs as root/],
  ['HEALTHCHECK --interval=15s', 'HEALTHCHECK --interval=15', /[Mm]issing unit|duration/],
  ['HEALTHCHECK', '# HEALTHCHECK', /no HEALTHCHECK/],
  ['ENTRYPOINT ["/usr/local/bin/ventanilla"]', 'ENTRYPOINT /usr/local/bin/ventanilla', /form of a list/],
  ['ENTRYPOINT ["/usr/local/bin/ventanilla"]\n', '', /form of a list/],
  ['COPY --chmod=0755 dist/ventanilla', 'ADD https://host.example/ventanilla', /COPY says what it does/],
  ['dist/ventanilla', 'dist/vantanilla', /dist\/vantanilla is not built/],
]

for (const [was, is, problem] of mistakes) {
  test(`“${is.trim()}” for “${was.trim()}” is a mistake that is found`, () => {
    assert.ok(text.includes(was))
    assert.match(problemsOf(text.replace(was, is)).join('\n'), problem)
  })
}

test.run()
