import { test } from 'uvu'
import { testLifeCycle } from '../support/order-table-tests.ts'

// The columns: what the order is told, by which provider, when (any time where nothing stands), `x` and the
// reason where it is refused, the status after it, the effects. `test/support/order-table.ts` says more.
testLifeCycle(
  test,
  'payOutLocal',
  `
  # CREATED, waiting for funds
  order.create                                       CREATED          funding.request
  each
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  funds.reserve       late      x past_expiry        CREATED
  transaction.built             x wrong_status       CREATED
  funds.credit                  x wrong_status       CREATED
  funds.credit       partial    x wrong_status       CREATED
  funds.accept       early      x wrong_status       CREATED
  funds.accept       late       x past_expiry        CREATED
  funds.accept       partial early x wrong_status    CREATED
  funds.accept       partial late x past_expiry      CREATED
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
  operator.cancel                                    CANCELLED        funding.withdraw, merchant.notify
  operator.cancel     forced                         CANCELLED        funding.withdraw, merchant.notify
  order.expire        early     x not_due            CREATED
  order.expire     outage early x not_due            CREATED
  order.expire        late                           EXPIRED          funding.withdraw, merchant.notify
  order.expire     outage late                       EXPIRED          funding.withdraw, merchant.notify

  # READY, never locked
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  each
  funds.reserve                 x wrong_status       READY
  transaction.built             x wrong_status       READY
  funds.credit                  x wrong_status       READY
  funds.credit       partial    x wrong_status       READY
  funds.accept                  x wrong_status       READY
  funds.accept       partial    x wrong_status       READY
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
  operator.cancel                                    CANCELLED        money.move release, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move release, merchant.notify
  order.expire        early     x not_due            READY
  order.expire     outage early x not_due            READY
  order.expire        late                           EXPIRED          money.move release, merchant.notify
  order.expire     outage late                       EXPIRED          money.move release, merchant.notify

  # PAYMENT_STARTED, held by A
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    A  early                          PAYMENT_STARTED
  each
  funds.reserve                 x wrong_status       PAYMENT_STARTED
  transaction.built             x wrong_status       PAYMENT_STARTED
  funds.credit                  x wrong_status       PAYMENT_STARTED
  funds.credit       partial    x wrong_status       PAYMENT_STARTED
  funds.accept                  x wrong_status       PAYMENT_STARTED
  funds.accept       partial    x wrong_status       PAYMENT_STARTED
  payment.start    A            x locked_by_caller   PAYMENT_STARTED
  payment.start    B            x locked_by_other    PAYMENT_STARTED
  payment.confirm  A                                 COMPLETED        money.move settle, merchant.notify
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x not_holder         PAYMENT_STARTED
  payment.report   B            x not_holder         PAYMENT_STARTED
  payment.cancel   A  early                          READY
  payment.cancel   A  doubt                          READY
  payment.cancel   A  restored                       READY
  payment.cancel   A  late                           EXPIRED          money.move release, merchant.notify
  payment.cancel   B            x not_holder         PAYMENT_STARTED
  payment.cancel   B  doubt     x not_holder         PAYMENT_STARTED
  payment.cancel   B  restored  x not_holder         PAYMENT_STARTED
  operator.cancel               x needs_force        PAYMENT_STARTED
  operator.cancel     forced                         CANCELLED        money.move suspend, exception.open cancelled_while_locked, merchant.notify
  order.expire        early     x not_due            PAYMENT_STARTED
  order.expire     outage early x not_due            PAYMENT_STARTED
  order.expire        expired   x not_due            PAYMENT_STARTED
  order.expire     outage expired x not_due            PAYMENT_STARTED
  order.expire        overdue                        EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify
  order.expire     outage overdue                    EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify

  # READY again, given back by A
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    A  early                          PAYMENT_STARTED
  payment.cancel   A  early                          READY
  each
  funds.reserve                 x wrong_status       READY
  transaction.built             x wrong_status       READY
  funds.credit                  x wrong_status       READY
  funds.credit       partial    x wrong_status       READY
  funds.accept                  x wrong_status       READY
  funds.accept       partial    x wrong_status       READY
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
  operator.cancel                                    CANCELLED        money.move release, merchant.notify
  operator.cancel     forced                         CANCELLED        money.move release, merchant.notify
  order.expire        early     x not_due            READY
  order.expire     outage early x not_due            READY
  order.expire        late                           EXPIRED          money.move release, merchant.notify
  order.expire     outage late                       EXPIRED          money.move release, merchant.notify

  # PAYMENT_STARTED, held by A after B
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    B  early                          PAYMENT_STARTED
  payment.start    A  early     x locked_by_other    PAYMENT_STARTED
  payment.cancel   B  early                          READY
  payment.start    A  early                          PAYMENT_STARTED
  each
  funds.reserve                 x wrong_status       PAYMENT_STARTED
  transaction.built             x wrong_status       PAYMENT_STARTED
  funds.credit                  x wrong_status       PAYMENT_STARTED
  funds.credit       partial    x wrong_status       PAYMENT_STARTED
  funds.accept                  x wrong_status       PAYMENT_STARTED
  funds.accept       partial    x wrong_status       PAYMENT_STARTED
  payment.start    A            x locked_by_caller   PAYMENT_STARTED
  payment.start    B            x locked_by_other    PAYMENT_STARTED
  payment.confirm  A                                 COMPLETED        money.move settle, merchant.notify
  payment.report   A                                 COMPLETED        money.move settle, merchant.notify
  payment.confirm  B            x not_holder         PAYMENT_STARTED
  payment.report   B            x not_holder         PAYMENT_STARTED
  payment.cancel   A  early                          READY
  payment.cancel   A  doubt                          READY
  payment.cancel   A  restored                       READY
  payment.cancel   A  late                           EXPIRED          money.move release, merchant.notify
  payment.cancel   B            x not_holder         PAYMENT_STARTED
  payment.cancel   B  doubt     x not_holder         PAYMENT_STARTED
  payment.cancel   B  restored  x not_holder         PAYMENT_STARTED
  operator.cancel               x needs_force        PAYMENT_STARTED
  operator.cancel     forced                         CANCELLED        money.move suspend, exception.open cancelled_while_locked, merchant.notify
  order.expire        early     x not_due            PAYMENT_STARTED
  order.expire     outage early x not_due            PAYMENT_STARTED
  order.expire        expired   x not_due            PAYMENT_STARTED
  order.expire     outage expired x not_due            PAYMENT_STARTED
  order.expire        overdue                        EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify
  order.expire     outage overdue                    EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify

  # COMPLETED by A
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    A  early                          PAYMENT_STARTED
  payment.confirm  A  expired                        COMPLETED        money.move settle, merchant.notify
  each
  funds.reserve                 x wrong_status       COMPLETED
  transaction.built             x wrong_status       COMPLETED
  funds.credit                  x wrong_status       COMPLETED
  funds.credit       partial    x wrong_status       COMPLETED
  funds.accept                  x wrong_status       COMPLETED
  funds.accept       partial    x wrong_status       COMPLETED
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
  order.expire     outage       x wrong_status       COMPLETED

  # CANCELLED before anybody locked it
  order.create                                       CREATED          funding.request
  operator.cancel     early                          CANCELLED        funding.withdraw, merchant.notify
  each
  funds.reserve                 x wrong_status       CANCELLED
  transaction.built             x wrong_status       CANCELLED
  funds.credit                  x wrong_status       CANCELLED
  funds.credit       partial    x wrong_status       CANCELLED
  funds.accept                  x wrong_status       CANCELLED
  funds.accept       partial    x wrong_status       CANCELLED
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
  order.expire     outage       x wrong_status       CANCELLED

  # CANCELLED by force while A held it
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    A  early                          PAYMENT_STARTED
  operator.cancel     early     x needs_force        PAYMENT_STARTED
  operator.cancel     forced    early                CANCELLED        money.move suspend, exception.open cancelled_while_locked, merchant.notify
  each
  funds.reserve                 x wrong_status       CANCELLED
  transaction.built             x wrong_status       CANCELLED
  funds.credit                  x wrong_status       CANCELLED
  funds.credit       partial    x wrong_status       CANCELLED
  funds.accept                  x wrong_status       CANCELLED
  funds.accept       partial    x wrong_status       CANCELLED
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
  order.expire     outage       x wrong_status       CANCELLED

  # EXPIRED without a lock
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  order.expire        late                           EXPIRED          money.move release, merchant.notify
  each
  funds.reserve                 x wrong_status       EXPIRED
  transaction.built             x wrong_status       EXPIRED
  funds.credit                  x wrong_status       EXPIRED
  funds.credit       partial    x wrong_status       EXPIRED
  funds.accept                  x wrong_status       EXPIRED
  funds.accept       partial    x wrong_status       EXPIRED
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
  order.expire     outage       x wrong_status       EXPIRED

  # EXPIRED when A gave it back too late
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    A  early                          PAYMENT_STARTED
  payment.cancel   A  expired                        EXPIRED          money.move release, merchant.notify
  each
  funds.reserve                 x wrong_status       EXPIRED
  transaction.built             x wrong_status       EXPIRED
  funds.credit                  x wrong_status       EXPIRED
  funds.credit       partial    x wrong_status       EXPIRED
  funds.accept                  x wrong_status       EXPIRED
  funds.accept       partial    x wrong_status       EXPIRED
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
  order.expire     outage       x wrong_status       EXPIRED

  # EXPIRED while A held it
  order.create                                       CREATED          funding.request
  funds.reserve       early                          READY            funding.withdraw, money.move reserve
  payment.start    A  early                          PAYMENT_STARTED
  order.expire        expired   x not_due            PAYMENT_STARTED
  order.expire        overdue                        EXPIRED          money.move suspend, exception.open expired_while_locked, merchant.notify
  each
  funds.reserve                 x wrong_status       EXPIRED
  transaction.built             x wrong_status       EXPIRED
  funds.credit                  x wrong_status       EXPIRED
  funds.credit       partial    x wrong_status       EXPIRED
  funds.accept                  x wrong_status       EXPIRED
  funds.accept       partial    x wrong_status       EXPIRED
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
  order.expire     outage       x wrong_status       EXPIRED
  `,
)

test.run()
