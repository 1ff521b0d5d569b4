/** What a reader has found in all its looks together. */
export async function problemsOf(looks: AsyncIterable<string[]>): Promise<string[]> {
  const problems: string[] = []
  for await (const found of looks) problems.push(...found)
  return problems
}
