import { ApiError } from "../../../platform/http/ApiError.ts"

/** The catalog has no add-on of this key. */
export class AddonNotFound extends ApiError<AddonNotFound>()("AddonNotFound", {
  status: 404,
  code: "addon_not_found",
  message: {
    en: "There is no such add-on",
    "pt-BR": "Este adicional não existe."
  }
}) {}

/** The club has it. */
export class AddonAlreadyContracted extends ApiError<AddonAlreadyContracted>()("AddonAlreadyContracted", {
  status: 409,
  code: "addon_already_contracted",
  message: {
    en: "The club has this add-on already",
    "pt-BR": "O clube já tem este adicional."
  }
}) {}

/** Not with the club's plan, not without a plan, or the payment for it was refused. */
export class AddonUnavailable extends ApiError<AddonUnavailable>()("AddonUnavailable", {
  status: 409,
  code: "addon_unavailable",
  message: {
    en: "The add-on cannot be contracted",
    "pt-BR": "Este adicional não pode ser contratado."
  }
}) {}

/** The club does not have it, or not any more. */
export class AddonNotContracted extends ApiError<AddonNotContracted>()("AddonNotContracted", {
  status: 409,
  code: "addon_not_contracted",
  message: {
    en: "The club does not have this add-on",
    "pt-BR": "O clube não tem este adicional."
  }
}) {}

/** It ends only with the plan as a whole. */
export class AddonNotRemovable extends ApiError<AddonNotRemovable>()("AddonNotRemovable", {
  status: 409,
  code: "addon_not_removable",
  message: {
    en: "The add-on cannot be removed",
    "pt-BR": "Este adicional não pode ser removido."
  }
}) {}

/** The catalog has no plan of this key. */
export class PlanNotFound extends ApiError<PlanNotFound>()("PlanNotFound", {
  status: 404,
  code: "plan_not_found",
  message: {
    en: "There is no such plan",
    "pt-BR": "Este plano não existe."
  }
}) {}

/** The club has a plan that has not ended: another is chosen in the provider's portal. */
export class PlanAlreadyContracted extends ApiError<PlanAlreadyContracted>()("PlanAlreadyContracted", {
  status: 409,
  code: "plan_already_contracted",
  message: {
    en: "The club has a plan already",
    "pt-BR": "O clube já tem um plano."
  }
}) {}

/** Its subscription has ended, or has no plan of the catalog any more. */
export class SubscriptionEnded extends ApiError<SubscriptionEnded>()("SubscriptionEnded", {
  status: 409,
  code: "subscription_ended",
  message: {
    en: "The subscription no longer gives a plan",
    "pt-BR": "A assinatura não dá mais direito a nenhum plano."
  }
}) {}

/** The club has no plan, or the environment no payment provider with a portal (contract, Errors 2). */
export class BillingPortalUnavailable extends ApiError<BillingPortalUnavailable>()("BillingPortalUnavailable", {
  status: 501,
  code: "billing_portal_unavailable",
  message: {
    en: "There is no billing portal for this club",
    "pt-BR": "Este clube não tem portal de pagamento."
  }
}) {}

/** The club has no plan, so nothing will be invoiced. */
export class NoUpcomingInvoice extends ApiError<NoUpcomingInvoice>()("NoUpcomingInvoice", {
  status: 404,
  code: "invoice_upcoming_none",
  message: {
    en: "There is no next invoice",
    "pt-BR": "Não há próxima fatura."
  }
}) {}
