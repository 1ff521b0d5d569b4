/** The table of a foreign-currency pay-out until it is paid out: columns as in `test/support/order-table.ts`. */
export const untilPaidOut = `
  # CREATED, its transaction being built
  order.create                                       CREATED
  each
  funds.reserve       early     x wrong_status       CREATED
  funds.reserve       late      x past_expiry        CREATED
  transaction.built                                  CREATED          merchant.notify
  funds.credit                                       READY            money.move exchange, merchant.notify
  funds.credit        partial                        CREATED
  funds.accept        early                          READY            money.move exchange, merchant.notify
  funds.accept        late      x past_expiry        CREATED
  funds.accept        partial early                  CREATED
  funds.accept        partial late x past_expiry     CREATED
  payment.start    A            x wrong_status       CREATED
  payment.start    B            x wrong_status       CREATED
  payment.confirm  A            x wrong_status       CREATED
  payment.report   A            x wrong_status       CREATED
  payment.confirm  B            x wrong_status       CREATED
  payment.report   B            x wrong_status       CREATED
  payment.cancel   A            x wrong_status       CREATED
  payment.cancel   A  doubt     x wrong_status       CREATED
  payment.cancel   A  restored  x wrong_status       CREATED
  payment.cancel   B            x wrong_status       CREATED
  payment.cancel   B  doubt     x wrong_status       CREATED
  payment.cancel   B  restored  x wrong_status       CREATED
  operator.cancel                                    CANCELLED        merchant.notify
  operator.cancel     forced                         CANCELLED        merchant.notify
  order.expire        early     x not_due            CREATED
  order.expire        late                           EXPIRED          merchant.notify
  order.expire        outage early x not_due          CREATED
  order.expire        outage late                    EXPIRED          exception.open chain_outage, merchant.notify

  # CREATED, its transaction offered
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  each
  funds.reserve       early     x wrong_status       CREATED
  funds.reserve       late      x past_expiry        CREATED
  transaction.built             x wrong_status       CREATED
  funds.credit                                       READY            money.move exchange, merchant.notify
  funds.credit        partial                        CREATED
  funds.accept        early                          READY            money.move exchange, merchant.notify
  funds.accept        late      x past_expiry        CREATED
  funds.accept        partial early                  CREATED
  funds.accept        partial late x past_expiry     CREATED
  payment.start    A            x wrong_status       CREATED
  payment.start    B            x wrong_status       CREATED
  payment.confirm  A            x wrong_status       CREATED
  payment.report   A            x wrong_status       CREATED
  payment.confirm  B            x wrong_status       CREATED
  payment.report   B            x wrong_status       CREATED
  payment.cancel   A            x wrong_status       CREATED
  payment.cancel   A  doubt     x wrong_status       CREATED
  payment.cancel   A  restored  x wrong_status       CREATED
  payment.cancel   B            x wrong_status       CREATED
  payment.cancel   B  doubt     x wrong_status       CREATED
  payment.cancel   B  restored  x wrong_status       CREATED
  operator.cancel                                    CANCELLED        merchant.notify
  operator.cancel     forced                         CANCELLED        merchant.notify
  order.expire        early     x not_due            CREATED
  order.expire        late                           EXPIRED          merchant.notify
  order.expire        outage early x not_due          CREATED
  order.expire        outage late                    EXPIRED          exception.open chain_outage, merchant.notify

  # CREATED, partly paid before its transaction was built
  order.create                                       CREATED
  funds.credit        partial early                  CREATED
  each
  funds.reserve       early     x wrong_status       CREATED
  funds.reserve       late      x past_expiry        CREATED
  transaction.built                                  CREATED          merchant.notify
  funds.credit                                       READY            money.move exchange, merchant.notify
  funds.credit        partial                        CREATED
  funds.accept        early                          READY            money.move exchange, merchant.notify
  funds.accept        late      x past_expiry        CREATED
  funds.accept        partial early                  CREATED
  funds.accept        partial late x past_expiry     CREATED
  payment.start    A            x wrong_status       CREATED
  payment.start    B            x wrong_status       CREATED
  payment.confirm  A            x wrong_status       CREATED
  payment.report   A            x wrong_status       CREATED
  payment.confirm  B            x wrong_status       CREATED
  payment.report   B            x wrong_status       CREATED
  payment.cancel   A            x wrong_status       CREATED
  payment.cancel   A  doubt     x wrong_status       CREATED
  payment.cancel   A  restored  x wrong_status       CREATED
  payment.cancel   B            x wrong_status       CREATED
  payment.cancel   B  doubt     x wrong_status       CREATED
  payment.cancel   B  restored  x wrong_status       CREATED
  operator.cancel                                    CANCELLED        money.move abandon, exception.open refund_due, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move abandon, exception.open refund_due, merchant.notify
  order.expire        early     x not_due            CREATED
  order.expire        late                           EXPIRED          money.move abandon, exception.open refund_due, merchant.notify
  order.expire        outage early x not_due          CREATED
  order.expire        outage late                    EXPIRED          money.move abandon, exception.open refund_due, exception.open chain_outage, merchant.notify

  # CREATED, partly paid
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        partial early                  CREATED
  each
  funds.reserve       early     x wrong_status       CREATED
  funds.reserve       late      x past_expiry        CREATED
  transaction.built             x wrong_status       CREATED
  funds.credit                                       READY            money.move exchange, merchant.notify
  funds.credit        partial                        CREATED
  funds.accept        early                          READY            money.move exchange, merchant.notify
  funds.accept        late      x past_expiry        CREATED
  funds.accept        partial early                  CREATED
  funds.accept        partial late x past_expiry     CREATED
  payment.start    A            x wrong_status       CREATED
  payment.start    B            x wrong_status       CREATED
  payment.confirm  A            x wrong_status       CREATED
  payment.report   A            x wrong_status       CREATED
  payment.confirm  B            x wrong_status       CREATED
  payment.report   B            x wrong_status       CREATED
  payment.cancel   A            x wrong_status       CREATED
  payment.cancel   A  doubt     x wrong_status       CREATED
  payment.cancel   A  restored  x wrong_status       CREATED
  payment.cancel   B            x wrong_status       CREATED
  payment.cancel   B  doubt     x wrong_status       CREATED
  payment.cancel   B  restored  x wrong_status       CREATED
  operator.cancel                                    CANCELLED        money.move abandon, exception.open refund_due, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move abandon, exception.open refund_due, merchant.notify
  order.expire        early     x not_due            CREATED
  order.expire        late                           EXPIRED          money.move abandon, exception.open refund_due, merchant.notify
  order.expire        outage early x not_due          CREATED
  order.expire        outage late                    EXPIRED          money.move abandon, exception.open refund_due, exception.open chain_outage, merchant.notify

  # READY, never locked
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        partial early                  CREATED
  funds.credit        early                          READY            money.move exchange, merchant.notify
  each
  funds.reserve                 x wrong_status       READY
  transaction.built             x wrong_status       READY
  funds.credit                  x wrong_status       READY
  funds.credit        partial   x wrong_status       READY
  funds.accept                  x wrong_status       READY
  funds.accept        partial   x wrong_status       READY
  payment.start    A  early                          PAYMENT_STARTED
  payment.start    A  late      x past_expiry        READY
  payment.start    B  early                          PAYMENT_STARTED
  payment.start    B  late      x past_expiry        READY
  payment.confirm  A            x wrong_status       READY
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x wrong_status       READY
  payment.report   B                                 COMPLETED        money.move settle, merchant.notify
  payment.cancel   A            x wrong_status       READY
  payment.cancel   A  doubt     x wrong_status       READY
  payment.cancel   A  restored  x wrong_status       READY
  payment.cancel   B            x wrong_status       READY
  payment.cancel   B  doubt     x wrong_status       READY
  payment.cancel   B  restored  x wrong_status       READY
  operator.cancel                                    CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  order.expire        early     x not_due            READY
  order.expire        late                           EXPIRED          money.move unwind, exception.open refund_due, merchant.notify
  order.expire        outage early x not_due          READY
  order.expire        outage late                    EXPIRED          money.move unwind, exception.open refund_due, merchant.notify

  # READY, accepted by the operator
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.accept        early                          READY            money.move exchange, merchant.notify
  each
  funds.reserve                 x wrong_status       READY
  transaction.built             x wrong_status       READY
  funds.credit                  x wrong_status       READY
  funds.credit        partial   x wrong_status       READY
  funds.accept                  x wrong_status       READY
  funds.accept        partial   x wrong_status       READY
  payment.start    A  early                          PAYMENT_STARTED
  payment.start    A  late      x past_expiry        READY
  payment.start    B  early                          PAYMENT_STARTED
  payment.start    B  late      x past_expiry        READY
  payment.confirm  A            x wrong_status       READY
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x wrong_status       READY
  payment.report   B                                 COMPLETED        money.move settle, merchant.notify
  payment.cancel   A            x wrong_status       READY
  payment.cancel   A  doubt     x wrong_status       READY
  payment.cancel   A  restored  x wrong_status       READY
  payment.cancel   B            x wrong_status       READY
  payment.cancel   B  doubt     x wrong_status       READY
  payment.cancel   B  restored  x wrong_status       READY
  operator.cancel                                    CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  order.expire        early     x not_due            READY
  order.expire        late                           EXPIRED          money.move unwind, exception.open refund_due, merchant.notify
  order.expire        outage early x not_due          READY
  order.expire        outage late                    EXPIRED          money.move unwind, exception.open refund_due, merchant.notify

  # READY, given back by A
  order.create                                       CREATED
  funds.credit        early                          READY            money.move exchange, merchant.notify
  payment.start    A  early                          PAYMENT_STARTED
  payment.cancel   A  early                          READY
  each
  funds.reserve                 x wrong_status       READY
  transaction.built             x wrong_status       READY
  funds.credit                  x wrong_status       READY
  funds.credit        partial   x wrong_status       READY
  funds.accept                  x wrong_status       READY
  funds.accept        partial   x wrong_status       READY
  payment.start    A  early                          PAYMENT_STARTED
  payment.start    A  late      x past_expiry        READY
  payment.start    B  early                          PAYMENT_STARTED
  payment.start    B  late      x past_expiry        READY
  payment.confirm  A            x wrong_status       READY
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x wrong_status       READY
  payment.report   B                                 COMPLETED        money.move settle, merchant.notify
  payment.cancel   A            x wrong_status       READY
  payment.cancel   A  doubt     x wrong_status       READY
  payment.cancel   A  restored  x wrong_status       READY
  payment.cancel   B            x wrong_status       READY
  payment.cancel   B  doubt     x wrong_status       READY
  payment.cancel   B  restored  x wrong_status       READY
  operator.cancel                                    CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  order.expire        early     x not_due            READY
  order.expire        late                           EXPIRED          money.move unwind, exception.open refund_due, merchant.notify
  order.expire        outage early x not_due          READY
  order.expire        outage late                    EXPIRED          money.move unwind, exception.open refund_due, merchant.notify

  # READY past its expiry, paid in time and read late
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        late                           READY            money.move exchange, merchant.notify
  each
  funds.reserve                 x wrong_status       READY
  transaction.built             x wrong_status       READY
  funds.credit                  x wrong_status       READY
  funds.credit        partial   x wrong_status       READY
  funds.accept                  x wrong_status       READY
  funds.accept        partial   x wrong_status       READY
  payment.start    A  early                          PAYMENT_STARTED
  payment.start    A  late      x past_expiry        READY
  payment.start    B  early                          PAYMENT_STARTED
  payment.start    B  late      x past_expiry        READY
  payment.confirm  A            x wrong_status       READY
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x wrong_status       READY
  payment.report   B                                 COMPLETED        money.move settle, merchant.notify
  payment.cancel   A            x wrong_status       READY
  payment.cancel   A  doubt     x wrong_status       READY
  payment.cancel   A  restored  x wrong_status       READY
  payment.cancel   B            x wrong_status       READY
  payment.cancel   B  doubt     x wrong_status       READY
  payment.cancel   B  restored  x wrong_status       READY
  operator.cancel                                    CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move unwind, exception.open refund_due, merchant.notify
  order.expire        early     x not_due            READY
  order.expire        late                           EXPIRED          money.move unwind, exception.open refund_due, merchant.notify
  order.expire        outage early x not_due          READY
  order.expire        outage late                    EXPIRED          money.move unwind, exception.open refund_due, merchant.notify

  # PAYMENT_STARTED, held by A
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        early                          READY            money.move exchange, merchant.notify
  payment.start    A  early                          PAYMENT_STARTED
  each
  funds.reserve                 x wrong_status       PAYMENT_STARTED
  transaction.built             x wrong_status       PAYMENT_STARTED
  funds.credit                  x wrong_status       PAYMENT_STARTED
  funds.credit        partial   x wrong_status       PAYMENT_STARTED
  funds.accept                  x wrong_status       PAYMENT_STARTED
  funds.accept        partial   x wrong_status       PAYMENT_STARTED
  payment.start    A            x locked_by_caller   PAYMENT_STARTED
  payment.start    B            x locked_by_other    PAYMENT_STARTED
  payment.confirm  A                                 COMPLETED        money.move settle, merchant.notify
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x not_holder         PAYMENT_STARTED
  payment.report   B            x not_holder         PAYMENT_STARTED
  payment.cancel   A  early                          READY
  payment.cancel   A  doubt                          READY
  payment.cancel   A  restored                       READY
  payment.cancel   A  late                           EXPIRED          money.move unwind, exception.open refund_due, merchant.notify
  payment.cancel   B            x not_holder         PAYMENT_STARTED
  payment.cancel   B  doubt     x not_holder         PAYMENT_STARTED
  payment.cancel   B  restored  x not_holder         PAYMENT_STARTED
  operator.cancel               x needs_force        PAYMENT_STARTED
  operator.cancel     forced                         CANCELLED        money.move suspend, exception.open cancelled_while_locked, merchant.notify
  order.expire        early     x not_due            PAYMENT_STARTED
  order.expire        expired   x not_due            PAYMENT_STARTED
  order.expire        overdue                        EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify
  order.expire        outage early x not_due          PAYMENT_STARTED
  order.expire        outage expired x not_due        PAYMENT_STARTED
  order.expire        outage overdue                 EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify

  # COMPLETED by A
  order.create                                       CREATED
  transaction.built   early                          CREATED          merchant.notify
  funds.credit        early                          READY            money.move exchange, merchant.notify
  payment.start    A  early                          PAYMENT_STARTED
  payment.confirm  A  expired                        COMPLETED        money.move settle, merchant.notify
  each
  funds.reserve                 x wrong_status       COMPLETED
  transaction.built             x wrong_status       COMPLETED
  funds.credit                  x wrong_status       COMPLETED
  funds.credit        partial   x wrong_status       COMPLETED
  funds.accept                  x wrong_status       COMPLETED
  funds.accept        partial   x wrong_status       COMPLETED
  payment.start    A            x wrong_status       COMPLETED
  payment.start    B            x wrong_status       COMPLETED
  payment.confirm  A            x wrong_status       COMPLETED
  payment.report   A            x wrong_status       COMPLETED
  payment.confirm  B            x wrong_status       COMPLETED
  payment.report   B            x wrong_status       COMPLETED
  payment.cancel   A            x wrong_status       COMPLETED
  payment.cancel   A  doubt     x wrong_status       COMPLETED
  payment.cancel   A  restored  x wrong_status       COMPLETED
  payment.cancel   B            x wrong_status       COMPLETED
  payment.cancel   B  doubt     x wrong_status       COMPLETED
  payment.cancel   B  restored  x wrong_status       COMPLETED
  operator.cancel               x wrong_status       COMPLETED
  operator.cancel     forced    x wrong_status       COMPLETED
  order.expire                  x wrong_status       COMPLETED
  order.expire        outage    x wrong_status       COMPLETED
`
