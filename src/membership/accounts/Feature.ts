import { Duration, Layer } from "effect"
import { authEraser } from "./AuthEraser.ts"
import { CredentialRequests } from "./CredentialRequests.ts"
import { Credentials } from "./Credentials.ts"
import { CredentialWorkerLayer } from "./CredentialWorker.ts"
import { forgottenMailsLayer } from "./ForgottenMails.ts"
import { AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp } from "./Http.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

/** Signing up and in, passwords, links and codes. */
export const accounts = {
  services: Layer.mergeAll(Credentials.layer, SignInAttempts.layer).pipe(Layer.provideMerge(CredentialRequests.layer)),
  routes: Layer.mergeAll(AdminAuthHttp, PasswordsHttp, SessionsHttp, StudentAuthHttp),
  workers: Layer.merge(CredentialWorkerLayer, forgottenMailsLayer({ every: Duration.seconds(1) })),
  erasers: [authEraser]
}
