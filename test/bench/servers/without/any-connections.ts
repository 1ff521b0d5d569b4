/** Counts no connections. */
import type * as connections from '../../../../http/limits/connections.ts'

export const limitConnections: typeof connections.limitConnections = () => {}
