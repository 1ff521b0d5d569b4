/** Forms that ask an authenticator: what it answers is sent with the form, as JSON with bytes in base64url. */
import { textOf } from './texts.ts'

type Descriptor = Omit<PublicKeyCredentialDescriptor, 'id'> & { id: string }

/** Of either kind of request. */
interface Written {
  challenge: string
  rp?: PublicKeyCredentialRpEntity
  pubKeyCredParams?: PublicKeyCredentialParameters[]
  user?: { id: string; name: string; displayName: string }
  excludeCredentials?: Descriptor[]
  allowCredentials?: Descriptor[]
}

export function offerPasskeys(main: HTMLElement): void {
  for (const form of main.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    if (form.dataset.passkeyReady !== undefined) continue
    form.dataset.passkeyReady = ''
    if (form.dataset.passkey === 'create') createOnSubmit(form)
    else addButton(form)
  }
}

function createOnSubmit(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form, async (options) => {
      const made = await navigator.credentials.create({ publicKey: creationOptions(options) })
      return made instanceof PublicKeyCredential ? registration(made) : null
    })
  })
}

function addButton(form: HTMLFormElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = form.dataset.passkeyButton ?? ''
  button.addEventListener('click', () => {
    void send(form, async (options) => {
      const found = await navigator.credentials.get({ publicKey: requestOptions(options) })
      return found instanceof PublicKeyCredential ? assertion(found) : null
    })
  })
  form.append(button)
}

async function send(form: HTMLFormElement, ask: (options: Written) => Promise<object | null>): Promise<void> {
  const line = problemLine(form)
  line.textContent = ''
  const field = form.elements.namedItem('passkey')
  if (!('credentials' in navigator) || !(field instanceof HTMLInputElement)) {
    line.textContent = textOf('noPasskeys')
    return
  }
  try {
    const answer = await ask(JSON.parse(form.dataset.passkeyOptions ?? '{}'))
    field.value = JSON.stringify(answer)
    form.submit()
  } catch (error) {
    // Of another host than the passkey's, browsers say that it is insecure.
    const isElsewhere = error instanceof DOMException && error.name === 'SecurityError'
    line.textContent = textOf(isElsewhere ? 'noPasskeys' : 'passkeyFailed')
    for (const button of form.querySelectorAll('button')) button.disabled = false
  }
}

function problemLine(form: HTMLFormElement): HTMLElement {
  const known = form.querySelector<HTMLElement>('.passkey-problem')
  if (known !== null) return known
  const line = document.createElement('p')
  line.className = 'problem passkey-problem'
  line.setAttribute('role', 'status')
  form.append(line)
  return line
}

/** As the node wrote them: what are bytes to the browser are base64url in JSON. */
function creationOptions({
  challenge,
  user,
  excludeCredentials = [],
  ...rest
}: Written): PublicKeyCredentialCreationOptions {
  const { rp = { name: '' }, pubKeyCredParams = [] } = rest
  const { id, name, displayName } = user ?? { id: '', name: '', displayName: '' }
  return {
    ...rest,
    rp,
    pubKeyCredParams,
    challenge: bytesOf(challenge),
    user: { id: bytesOf(id), name, displayName },
    excludeCredentials: excludeCredentials.map(known),
  }
}

function requestOptions({
  challenge,
  allowCredentials = [],
  ...rest
}: Written): PublicKeyCredentialRequestOptions {
  return { ...rest, challenge: bytesOf(challenge), allowCredentials: allowCredentials.map(known) }
}

function known({ id, ...rest }: Descriptor): PublicKeyCredentialDescriptor {
  return { ...rest, id: bytesOf(id) }
}

function registration(credential: PublicKeyCredential): object | null {
  const { response } = credential
  if (!(response instanceof AuthenticatorAttestationResponse)) return null
  return written(credential, {
    clientDataJSON: textOfBytes(response.clientDataJSON),
    attestationObject: textOfBytes(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  })
}

function assertion(credential: PublicKeyCredential): object | null {
  const { response } = credential
  if (!(response instanceof AuthenticatorAssertionResponse)) return null
  return written(credential, {
    clientDataJSON: textOfBytes(response.clientDataJSON),
    authenticatorData: textOfBytes(response.authenticatorData),
    signature: textOfBytes(response.signature),
  })
}

function written({ id, rawId, type }: PublicKeyCredential, response: object): object {
  return { id, rawId: textOfBytes(rawId), type, clientExtensionResults: {}, response }
}

function bytesOf(base64url: string): ArrayBuffer {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0)).buffer
}

function textOfBytes(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}
