import { startStellar } from '../../support/chains/stellar/local.ts'
import { contract } from '../contract.ts'

contract('Stellar', () => startStellar())
