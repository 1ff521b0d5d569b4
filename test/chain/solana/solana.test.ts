import { startSolana } from '../../support/chains/solana/local.ts'
import { contract } from '../contract.ts'

contract('Solana', () => startSolana())
