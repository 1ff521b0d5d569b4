/** The table of a foreign-currency pay-out that ended otherwise: columns as in `test/support/order-table.ts`. */
export const endedOtherwise = `
  # CANCELLED before money came
  order.create                                       CREATED
  operator.cancel     early                          CANCELLED        merchant.notify
  each
  funds.reserve                 x wrong_status       CANCELLED
  transaction.built             x wrong_status       CANCELLED
  funds.credit                  x wrong_status       CANCELLED
  funds.credit        partial   x wrong_status       CANCELLED
  funds.accept                  x wrong_status       CANCELLED
  funds.accept        partial   x wrong_status       CANCELLED
  payment.start    A            x wrong_status       CANCELLED
  payment.start    B            x wrong_status       CANCELLED
  payment.confirm  A            x wrong_status       CANCELLED
  payment.report   A            x wrong_status       CANCELLED
  payment.confirm  B            x wrong_status       CANCELLED
  payment.report   B            x wrong_status       CANCELLED
  payment.cancel   A            x wrong_status       CANCELLED
  payment.cancel   A  doubt     x wrong_status       CANCELLED
  payment.cancel   A  restored  x wrong_status       CANCELLED
  payment.cancel   B            x wrong_status       CANCELLED
  payment.cancel   B  doubt     x wrong_status       CANCELLED
  payment.cancel   B  restored  x wrong_status       CANCELLED
  operator.cancel               x wrong_status       CANCELLED
  operator.cancel     forced    x wrong_status       CANCELLED
  order.expire                  x wrong_status       CANCELLED
  order.expire        outage    x wrong_status       CANCELLED

  # CANCELLED with its money
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        early                          READY            money.move exchange, merchant.notify
  operator.cancel     early                          CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  each
  funds.reserve                 x wrong_status       CANCELLED
  transaction.built             x wrong_status       CANCELLED
  funds.credit                  x wrong_status       CANCELLED
  funds.credit        partial   x wrong_status       CANCELLED
  funds.accept                  x wrong_status       CANCELLED
  funds.accept        partial   x wrong_status       CANCELLED
  payment.start    A            x wrong_status       CANCELLED
  payment.start    B            x wrong_status       CANCELLED
  payment.confirm  A            x wrong_status       CANCELLED
  payment.report   A            x wrong_status       CANCELLED
  payment.confirm  B            x wrong_status       CANCELLED
  payment.report   B            x wrong_status       CANCELLED
  payment.cancel   A            x wrong_status       CANCELLED
  payment.cancel   A  doubt     x wrong_status       CANCELLED
  payment.cancel   A  restored  x wrong_status       CANCELLED
  payment.cancel   B            x wrong_status       CANCELLED
  payment.cancel   B  doubt     x wrong_status       CANCELLED
  payment.cancel   B  restored  x wrong_status       CANCELLED
  operator.cancel               x wrong_status       CANCELLED
  operator.cancel     forced    x wrong_status       CANCELLED
  order.expire                  x wrong_status       CANCELLED
  order.expire        outage    x wrong_status       CANCELLED

  # CANCELLED by force while A held it
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        early                          READY            money.move exchange, merchant.notify
  payment.start    A  early                          PAYMENT_STARTED
  operator.cancel     forced early                   CANCELLED        money.move suspend, exception.open cancelled_while_locked, merchant.notify
  each
  funds.reserve                 x wrong_status       CANCELLED
  transaction.built             x wrong_status       CANCELLED
  funds.credit                  x wrong_status       CANCELLED
  funds.credit        partial   x wrong_status       CANCELLED
  funds.accept                  x wrong_status       CANCELLED
  funds.accept        partial   x wrong_status       CANCELLED
  payment.start    A            x wrong_status       CANCELLED
  payment.start    B            x wrong_status       CANCELLED
  payment.confirm  A            x ended_while_locked CANCELLED
  payment.report   A            x ended_while_locked CANCELLED
  payment.confirm  B            x wrong_status       CANCELLED
  payment.report   B            x wrong_status       CANCELLED
  payment.cancel   A            x wrong_status       CANCELLED
  payment.cancel   A  doubt     x wrong_status       CANCELLED
  payment.cancel   A  restored  x wrong_status       CANCELLED
  payment.cancel   B            x wrong_status       CANCELLED
  payment.cancel   B  doubt     x wrong_status       CANCELLED
  payment.cancel   B  restored  x wrong_status       CANCELLED
  operator.cancel               x wrong_status       CANCELLED
  operator.cancel     forced    x wrong_status       CANCELLED
  order.expire                  x wrong_status       CANCELLED
  order.expire        outage    x wrong_status       CANCELLED

  # EXPIRED with a part of its money, its chain out of reach
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        partial early                  CREATED
  order.expire        outage late                    EXPIRED          money.move abandon, exception.open refund_due, exception.open chain_outage, merchant.notify
  each
  funds.reserve                 x wrong_status       EXPIRED
  transaction.built             x wrong_status       EXPIRED
  funds.credit                  x wrong_status       EXPIRED
  funds.credit        partial   x wrong_status       EXPIRED
  funds.accept                  x wrong_status       EXPIRED
  funds.accept        partial   x wrong_status       EXPIRED
  payment.start    A            x wrong_status       EXPIRED
  payment.start    B            x wrong_status       EXPIRED
  payment.confirm  A            x wrong_status       EXPIRED
  payment.report   A            x wrong_status       EXPIRED
  payment.confirm  B            x wrong_status       EXPIRED
  payment.report   B            x wrong_status       EXPIRED
  payment.cancel   A            x wrong_status       EXPIRED
  payment.cancel   A  doubt     x wrong_status       EXPIRED
  payment.cancel   A  restored  x wrong_status       EXPIRED
  payment.cancel   B            x wrong_status       EXPIRED
  payment.cancel   B  doubt     x wrong_status       EXPIRED
  payment.cancel   B  restored  x wrong_status       EXPIRED
  operator.cancel               x wrong_status       EXPIRED
  operator.cancel     forced    x wrong_status       EXPIRED
  order.expire                  x wrong_status       EXPIRED
  order.expire        outage    x wrong_status       EXPIRED

  # EXPIRED with its money
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        early                          READY            money.move exchange, merchant.notify
  order.expire        late                           EXPIRED          money.move unwind, exception.open refund_due, merchant.notify
  each
  funds.reserve                 x wrong_status       EXPIRED
  transaction.built             x wrong_status       EXPIRED
  funds.credit                  x wrong_status       EXPIRED
  funds.credit        partial   x wrong_status       EXPIRED
  funds.accept                  x wrong_status       EXPIRED
  funds.accept        partial   x wrong_status       EXPIRED
  payment.start    A            x wrong_status       EXPIRED
  payment.start    B            x wrong_status       EXPIRED
  payment.confirm  A            x wrong_status       EXPIRED
  payment.report   A            x wrong_status       EXPIRED
  payment.confirm  B            x wrong_status       EXPIRED
  payment.report   B            x wrong_status       EXPIRED
  payment.cancel   A            x wrong_status       EXPIRED
  payment.cancel   A  doubt     x wrong_status       EXPIRED
  payment.cancel   A  restored  x wrong_status       EXPIRED
  payment.cancel   B            x wrong_status       EXPIRED
  payment.cancel   B  doubt     x wrong_status       EXPIRED
  payment.cancel   B  restored  x wrong_status       EXPIRED
  operator.cancel               x wrong_status       EXPIRED
  operator.cancel     forced    x wrong_status       EXPIRED
  order.expire                  x wrong_status       EXPIRED
  order.expire        outage    x wrong_status       EXPIRED

  # EXPIRED while A held it
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        early                          READY            money.move exchange, merchant.notify
  payment.start    A  early                          PAYMENT_STARTED
  order.expire        overdue                        EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify
  each
  funds.reserve                 x wrong_status       EXPIRED
  transaction.built             x wrong_status       EXPIRED
  funds.credit                  x wrong_status       EXPIRED
  funds.credit        partial   x wrong_status       EXPIRED
  funds.accept                  x wrong_status       EXPIRED
  funds.accept        partial   x wrong_status       EXPIRED
  payment.start    A            x wrong_status       EXPIRED
  payment.start    B            x wrong_status       EXPIRED
  payment.confirm  A            x ended_while_locked EXPIRED
  payment.report   A            x ended_while_locked EXPIRED
  payment.confirm  B            x wrong_status       EXPIRED
  payment.report   B            x wrong_status       EXPIRED
  payment.cancel   A            x wrong_status       EXPIRED
  payment.cancel   A  doubt     x wrong_status       EXPIRED
  payment.cancel   A  restored  x wrong_status       EXPIRED
  payment.cancel   B            x wrong_status       EXPIRED
  payment.cancel   B  doubt     x wrong_status       EXPIRED
  payment.cancel   B  restored  x wrong_status       EXPIRED
  operator.cancel               x wrong_status       EXPIRED
  operator.cancel     forced    x wrong_status       EXPIRED
  order.expire                  x wrong_status       EXPIRED
  order.expire        outage    x wrong_status       EXPIRED
`
