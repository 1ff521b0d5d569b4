/** An account of the ledger, as documents name it: `available of Shop`, `bank of main`, `fee` where it is the operator's own. */
export function accountName(kind: string, owner: string | null): string {
  return owner === null ? kind : `${kind} of ${owner}`
}
