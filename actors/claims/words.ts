/** The words of claims, for whoever reads or writes them. */
export { claimKinds, claimStates } from '../../machines/claim.ts'
export { hasAmount } from '../../machines/claim-postings.ts'
