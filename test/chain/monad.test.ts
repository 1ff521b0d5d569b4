import { startMonad } from '../support/chains/monad/local.ts'
import { contract } from './contract.ts'

contract('Monad', () => startMonad())
