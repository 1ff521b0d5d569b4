/** What came about in a history. */
export function newCounts() {
  return {
    events: 0,
    kills: 0,
    cuts: 0,
    stops: 0,
    jumps: 0,
    /** Of blocks that were not final. */
    reorgs: 0,
    /** On the chain. */
    payments: 0,
    /** Of the chain's endpoints. */
    chainFaults: 0,
    orders: 0,
    answers: 0,
    /** Of those to orders the ones whose order was checked. */
    calls: 0,
    /** Read from their first page to their last. */
    lists: 0,
    webhooks: 0,
    /** Those that were opened, as far as anybody was told, and those that have moved money. */
    claims: 0,
    claimsMoved: 0,
    /** What two were asked for; of that what was carried out, and what was refused, withdrawn, void or too late. */
    approvals: 0,
    carriedOut: 0,
    notCarriedOut: 0,
    /** Kills and cuts while somebody was approving. */
    approvalKills: 0,
  }
}

export type Counts = ReturnType<typeof newCounts>
