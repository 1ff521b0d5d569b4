import { test } from 'uvu'
import { openStore } from '../../persistence/index.ts'
import { hasPostgres, newPostgresDatabase } from '../support/postgres.ts'
import { storeContract } from './store-contract.ts'

if (hasPostgres('the PostgreSQL engine')) {
  storeContract(test, () => {
    const url = newPostgresDatabase()
    return { open: async (clock) => openStore(await url, { clock }) }
  })
}

test.run()
