/** An order whose snapshot this program cannot read, as after a downgrade: nothing can be decided about it. */
export class UnreadableOrder extends Error {
  override readonly name = 'UnreadableOrder'
  readonly orderId: string

  constructor(orderId: string, problem: string, options?: ErrorOptions) {
    super(`Order ${orderId} cannot be worked on: ${problem}`, options)
    this.orderId = orderId
  }
}
