import { spoken } from "../../../browser/client/Language.ts"

/** The words about a club's members. */
export const words = spoken(
  {
    actions: "Actions",
    alone: "Only you work for this club.",
    change: "Change role",
    changeOf: (name: string) => `Change role: ${name}`,
    changed: "The role is changed",
    changeText: "It applies from their next request on, in every open window.",
    email: "E-mail",
    expires: "Link ends",
    invitation: "Invite somebody",
    invitations: "Open invitations",
    invite: "Send the invitation",
    inviteHint: "They get a link by mail that works once, for 7 days.",
    invited: "The invitation is on its way",
    lead: (members: string, open: number | undefined) =>
      `${members === "1" ? "1 person works" : `${members} people work`} for this club.${
        open === undefined || open === 0 ? "" : open === 1 ? " 1 invitation is open." : ` ${open} invitations are open.`
      }`,
    member: "Member",
    none: "No invitation is open",
    noneText: "Invite somebody: open invitations are listed here.",
    remove: "Remove",
    removed: "The member is removed",
    removeOf: (name: string) => `Remove ${name}`,
    removeSelf: "You leave the club yourself: only another owner or administrator can invite you again.",
    removeText: (name: string) =>
      `From the next request on, ${name} cannot enter this club. Their account, their other clubs and what they wrote stay. Keys that act for them stop working until somebody takes them over.`,
    role: "Role",
    roles: "What each role can do",
    sent: "Sent",
    since: "Member since",
    title: "Members",
    withdraw: "Withdraw",
    withdrawn: "The invitation is withdrawn",
    withdrawOf: (email: string) => `Withdraw the invitation of ${email}`,
    withdrawText: "Its link stops working at once. Nobody is mailed.",
    you: "you"
  },
  {
    actions: "Ações",
    alone: "Só você trabalha neste clube.",
    change: "Mudar papel",
    changeOf: (name) => `Mudar papel: ${name}`,
    changed: "O papel mudou",
    changeText: "Vale a partir da próxima requisição dessa pessoa, em todas as janelas abertas.",
    email: "E-mail",
    expires: "Link até",
    invitation: "Convidar alguém",
    invitations: "Convites em aberto",
    invite: "Enviar o convite",
    inviteHint: "A pessoa recebe por e-mail um link que funciona uma vez, por 7 dias.",
    invited: "O convite está a caminho",
    lead: (members, open) =>
      `${members === "1" ? "1 pessoa trabalha" : `${members} pessoas trabalham`} neste clube.${
        open === undefined || open === 0
          ? ""
          : open === 1
          ? " Há 1 convite em aberto."
          : ` Há ${open} convites em aberto.`
      }`,
    member: "Pessoa",
    none: "Nenhum convite em aberto",
    noneText: "Convide alguém: os convites em aberto aparecem aqui.",
    remove: "Remover",
    removed: "A pessoa foi removida da equipe",
    removeOf: (name) => `Remover ${name}`,
    removeSelf: "Você vai sair do clube: só outro titular ou administrador pode convidar você de novo.",
    removeText: (name) =>
      `A partir da próxima requisição, ${name} não entra mais neste clube. A conta, os outros clubes e o que escreveu continuam. As chaves que agem em nome dessa pessoa param até alguém assumir.`,
    role: "Papel",
    roles: "O que cada papel pode",
    sent: "Enviado",
    since: "Na equipe desde",
    title: "Equipe",
    withdraw: "Cancelar",
    withdrawn: "O convite foi cancelado",
    withdrawOf: (email) => `Cancelar o convite de ${email}`,
    withdrawText: "O link deixa de funcionar na hora. Ninguém recebe e-mail.",
    you: "você"
  }
)
