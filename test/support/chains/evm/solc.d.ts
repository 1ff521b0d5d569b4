/** The one function of the Solidity compiler that is used; the package brings no types. */
declare module 'solc' {
  const solc: { compile(input: string): string }
  export default solc
}
