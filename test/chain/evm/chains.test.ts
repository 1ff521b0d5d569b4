/** Each EVM chain of the table keeps the contract, as its own data have it. */
import { blockchainFacts, evmBlockchains } from '../../../machines/blockchains.ts'
import { startEvm } from '../../support/chains/evm/local.ts'
import { contract } from '../contract.ts'

for (const name of evmBlockchains) contract(blockchainFacts[name].title, () => startEvm(name))
