// The Portuguese sentences that the API does not have, by the code of the failure. Pure.

/** The client's own failures: no answer has words for them. */
export const ownRefusals: Readonly<Record<string, string>> = {
  connection_failed: "O serviço não respondeu.",
  cursor_repeated: "O serviço enviou a mesma página duas vezes: carregue a lista de novo.",
  not_modified: "Nada mudou.",
  redirected: "O serviço redirecionou para outro endereço, e a página não seguiu.",
  timed_out: "O serviço demorou demais para responder: tente de novo.",
  unexpected_answer: "O serviço deu uma resposta inesperada: tente de novo."
}

/** Stands before what is wrong with fields, which the API says in English alone. */
export const wrongFields = "Falta algo ou há algo inválido:"

/** A sentence of the API without the name of the field that it is about, which is the API's. */
export const withoutField = (message: string): string => message.replace(/^[a-z_]+[\w.[\]-]*: (?=\p{Lu})/u, "")
