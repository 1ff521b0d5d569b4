import { startMonad } from '../../support/chains/evm/local.ts'
import { contract } from '../contract.ts'

contract('Monad', () => startMonad())
