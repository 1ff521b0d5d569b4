/** The blockchains that quotes may name: protocol 2.4. Their names are in stored orders, and in what callers send. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  blockchainFacts,
  blockchains,
  evmBlockchains,
  isBlockchain,
  perBlockchain,
} from '../../machines/blockchains.ts'

test('each blockchain has its title, its family, and its main network as wallets name it', () => {
  assert.equal(blockchainFacts, {
    SOLANA: { title: 'Solana', family: 'solana', mainNetwork: 'solana:mainnet' },
    STELLAR: {
      title: 'Stellar',
      family: 'stellar',
      // Its passphrase, which is signed with every transaction.
      mainNetwork: 'Public Global Stellar Network ; September 2015',
    },
    // Chain id 143.
    MONAD: { title: 'Monad', family: 'evm', mainNetwork: '0x8f' },
  })
})

test('the lists are of all of them, and of those with an EVM', () => {
  assert.equal(blockchains, ['SOLANA', 'STELLAR', 'MONAD'])
  assert.equal(evmBlockchains, ['MONAD'])
  assert.equal(
    perBlockchain(blockchains, (name) => name.toLowerCase()),
    { SOLANA: 'solana', STELLAR: 'stellar', MONAD: 'monad' },
  )
})

test('no other text is a blockchain, whatever objects are made of', () => {
  for (const name of blockchains) assert.ok(isBlockchain(name), name)
  for (const name of ['', 'solana', 'BITCOIN', 'constructor', '__proto__', 'toString'])
    assert.is(isBlockchain(name), false, name)
})

test.run()
