import { spoken } from "../../../browser/client/Language.ts"
import type { Schemas } from "../../../sdk/index.ts"
import type { AccessState } from "./model/AccessState.ts"

/** How an access stands, in a word. */
export const stateWords = spoken<Record<AccessState, string>>(
  { active: "Active", coming: "Begins later", over: "Over", revoked: "Revoked" },
  { active: "Ativo", coming: "Começa depois", over: "Terminado", revoked: "Retirado" }
)

/** The sources of an access. */
export const sourceWords = spoken<Record<Schemas["Enrollment"]["source"], string>>(
  {
    free: "free delivery",
    grant: "given by the staff",
    import: "import",
    invitation: "given with the account",
    purchase: "purchase",
    registration_link: "registration link",
    subscription: "subscription"
  },
  {
    free: "entrega gratuita",
    grant: "liberado pela equipe",
    import: "importação",
    invitation: "liberado com a conta",
    purchase: "compra",
    registration_link: "link de inscrição",
    subscription: "assinatura"
  }
)

/** Why an access was revoked. */
export const reasonWords = spoken<Record<NonNullable<Schemas["Enrollment"]["revoke_reason"]>, string>>(
  {
    chargeback: "chargeback",
    manual: "by the staff",
    refund: "refund",
    student_removed: "the student was removed",
    subscription_canceled: "the subscription was canceled"
  },
  {
    chargeback: "estorno (chargeback)",
    manual: "pela equipe",
    refund: "reembolso",
    student_removed: "o aluno foi removido",
    subscription_canceled: "a assinatura foi cancelada"
  }
)

/** The changes of an access. */
export const kindWords = spoken<Record<Schemas["AccessEvent"]["kind"], string>>(
  {
    expired: "It ended",
    extended: "Extended",
    granted: "Granted",
    moved: "Moved to another cohort",
    restored: "Given back",
    revoked: "Taken away",
    shortened: "Shortened"
  },
  {
    expired: "Terminou",
    extended: "Estendido",
    granted: "Liberado",
    moved: "Passou para outra turma",
    restored: "Restaurado",
    revoked: "Retirado",
    shortened: "Fim antecipado"
  }
)

/** The words that several views about students share. */
export const commonWords = spoken(
  {
    save: "Save",
    saved: "Saved",
    students: "Students"
  },
  {
    save: "Salvar",
    saved: "Salvo",
    students: "Alunos"
  }
)
