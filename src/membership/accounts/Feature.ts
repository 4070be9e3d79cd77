import { Duration, Layer } from "effect"
import { AddressSpellingsLayer } from "./AddressSpellings.ts"
import { CredentialRequests } from "./CredentialRequests.ts"
import { Credentials } from "./Credentials.ts"
import { credentialsEraser } from "./CredentialsEraser.ts"
import { CredentialWorkerLayer } from "./CredentialWorker.ts"
import { AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp } from "./Http.ts"
import { orphanedMailFilesLayer } from "./OrphanedMailFiles.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import { waitingRequests } from "./WaitingRequests.ts"

/** Signing up and in, passwords, links and codes. */
export const accounts = {
  services: Layer.mergeAll(Credentials.layer, SignInAttempts.layer).pipe(Layer.provideMerge(CredentialRequests.layer)),
  routes: Layer.mergeAll(AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp),
  workers: Layer.mergeAll(
    AddressSpellingsLayer,
    CredentialWorkerLayer,
    orphanedMailFilesLayer({ every: Duration.seconds(5) })
  ),
  erasers: [credentialsEraser],
  queues: [waitingRequests]
}
