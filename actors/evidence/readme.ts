/** What an evidence file says of itself: its commands are run by a test as they stand here. */
import { manifestName, publicKeyName, signatureName } from './manifest.ts'

export function readme(orderId: string, fingerprint: string): string {
  return `Evidence of order ${orderId}

What a Ventanilla node has recorded of this order, as JSON. Times are UTC (ISO 8601);
amounts are decimal numbers, or in units that are named beside them.

  order.json        the order
  journal.json      what it was told, by whom, and what came of it, in order
  postings.json     the money that was moved
  webhooks.json     what its merchant was told: each attempt, and how it was answered
  chain.json        of an order that is paid for on a blockchain: what came there
  reports.json      what the network has reported of it
  statements.json   where statements of the parties tell of it
  exceptions.json   what people had to decide, and what they did
  claims.json       what was claimed about it, and the files of claims below claims/

The code of the order is left out. The hashes in journal.json chain its entries under a
secret of the node: only the node can check those. What proves this file to anybody is
the signature of ${manifestName}, which has the SHA-256 of each entry.

To check it with OpenSSL 3 and sha256sum, unpack it into an empty folder and run there:

  openssl pkeyutl -verify -pubin -inkey ${publicKeyName} -rawin -in ${manifestName} -sigfile ${signatureName}
  sha256sum --check --strict ${manifestName}
  find . -type f | sed 's|^\\./||' | grep -v -x -e ${manifestName} -e ${signatureName} | LC_ALL=C sort >../found.txt
  cut -c 67- ${manifestName} | cmp - ../found.txt
  openssl pkey -pubin -in ${publicKeyName} -outform DER | sha256sum

The first says "Signature Verified Successfully", the second OK of each entry; the fourth
says nothing where there are no other entries. The last prints the fingerprint of the key:

  ${fingerprint}

Whether that is the node's key only its operator can say: compare it with what the
operator has published, not with this text. "ventanilla evidence check FILE --key KEY"
does all of this at once.
`
}
