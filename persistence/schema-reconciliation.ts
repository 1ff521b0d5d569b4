/** The tables of reconciliation; what columns hold is said in `schema.ts`. */

/** What a network calls the payment of an order, as its tills have said. */
export interface NetworkReferenceTable {
  order_id: string
  network_id: string
  reference: string
}

export interface ReconciliationTables {
  network_references: NetworkReferenceTable
}
