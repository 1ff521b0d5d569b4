/** Words of approvals. */
export const approvalWords = {
  asked: 'pedida',
  approved: 'aprobada',
  carried_out: 'ejecutada',
  void: 'sin efecto',
  ask: 'pedir',
  approve: 'aprobar',
  refuse: 'rechazar',
  carry_out: 'ejecutar',
  fail: 'fallar',
  expire: 'vencer',
  // Of what a sandbox is asked for.
  fault: 'fallo',
}
