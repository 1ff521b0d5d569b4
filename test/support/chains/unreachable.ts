/** Settings of chains that are on and that nobody answers for: for tests that need an asset, and no network. */

const nobody = 'http://127.0.0.1:9'

export const unreachableSolana = {
  VENTANILLA_CHAINS_SOLANA_TREASURY: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  VENTANILLA_CHAINS_SOLANA_RPC: JSON.stringify([nobody]),
}

export const unreachableStellar = {
  VENTANILLA_CHAINS_STELLAR_TREASURY: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  VENTANILLA_CHAINS_STELLAR_HORIZON: nobody,
  VENTANILLA_CHAINS_STELLAR_RPC: 'null',
}
