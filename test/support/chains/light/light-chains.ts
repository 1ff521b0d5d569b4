/** The light network of each blockchain. */
import { type Blockchain, evmBlockchains, perBlockchain } from '../../../../machines/blockchains.ts'
import type { LightChain, LightOptions } from './light-chain.ts'
import { lightEvm } from './light-evm.ts'
import { lightSolana } from './light-solana.ts'
import { lightStellar } from './light-stellar.ts'

export const lightChains: Readonly<Record<Blockchain, (options: LightOptions) => LightChain>> = {
  SOLANA: lightSolana,
  STELLAR: lightStellar,
  ...perBlockchain(evmBlockchains, lightEvm),
}
