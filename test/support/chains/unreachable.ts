/** Settings of chains that are on and that nobody answers for: for tests that need an asset, and no network. */

const nobody = 'http://127.0.0.1:9'

export const unreachableSolana = {
  VENTANILLA_CHAINS_SOLANA_TREASURY: 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB',
  VENTANILLA_CHAINS_SOLANA_RPC: JSON.stringify([nobody]),
}

export const unreachableMonad = {
  VENTANILLA_CHAINS_MONAD_TREASURY: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  VENTANILLA_CHAINS_MONAD_RPC: JSON.stringify([nobody]),
}

export const unreachableStellar = {
  VENTANILLA_CHAINS_STELLAR_TREASURY: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  VENTANILLA_CHAINS_STELLAR_HORIZON: nobody,
  VENTANILLA_CHAINS_STELLAR_RPC: 'null',
}
