/** Words of approvals. */
export const approvalWords = {
  asked: 'pedida',
  approved: 'aprovada',
  carried_out: 'executada',
  void: 'sem efeito',
  ask: 'pedir',
  approve: 'aprovar',
  refuse: 'recusar',
  carry_out: 'executar',
  fail: 'falhar',
  expire: 'vencer',
  // Of what a sandbox is asked for.
  fault: 'falha',
}
