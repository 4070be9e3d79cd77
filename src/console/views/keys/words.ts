import { counted, number } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"
import type { KeyArea } from "./KeyRules.ts"

/** The words about keys. */
export const words = spoken(
  {
    address: "From",
    adopt: "Take over",
    adopted: "The key acts for you now",
    adoptText:
      "From now on it acts for you, with the same token. If a former member may still know that token, make a new key instead.",
    anywhere: "everywhere",
    change: "Save",
    changed: "Saved",
    code: "Code",
    codeHint: "As the terminal shows it. Use it only with your own terminal: the code lets its holder in.",
    create: "Make the key",
    created: "Made",
    edit: "Name, networks, end",
    ends: "Ends",
    endsHint: "At the end of that day, in your time zone. Empty: it does not expire.",
    holder: "Acts for",
    lastUsed: "Last used",
    lead: (active: number, unused: number) =>
      `${number(active)} active; ${counted(unused, "1 was", `${number(unused)} were`)} never used.`,
    leadUnowned: (count: number) =>
      counted(
        count,
        " 1 without a holder does not work until somebody takes it over.",
        ` ${number(count)} without a holder do not work until somebody takes them over.`
      ),
    letIn: "Let a terminal in",
    letInDone: (name: string) => `The terminal has its key: ${name}`,
    listed: "Keys that have ended stay in the list for 91 days.",
    make: "Make a key",
    name: "Name",
    nameHint: "Its purpose. The audit log shows this name.",
    networks: "Networks",
    networksHint: "One per line, such as 203.0.113.0/24. Empty: from everywhere.",
    never: "never",
    nobody: "nobody: it does not work",
    none: "This club has no keys",
    noneText: "A key lets a server, a script or an agent in without anybody's password.",
    noRole: "Only by areas",
    old: "The previous token still works for",
    oldText: "Change it wherever it is used. If that is too long, revoke the key.",
    prefix: "Token begins",
    reaches: { none: "no", read: "reads", write: "reads and writes" },
    revoke: "Revoke",
    revoked: "The key is revoked",
    revokedAt: "Revoked",
    revokeText: (name: string) =>
      `From the next request on, requests with ${name} are refused. This cannot be undone: a new key has another token.`,
    right: "May",
    role: "Role",
    roleHint: "With areas too, it may do what both allow, and never more than the member it acts for.",
    rotate: "New token",
    rotated: "The key has a new token",
    rotateText: "You see the new token once. The previous one works for 24 more hours, so nothing stops meanwhile.",
    scopes: "Areas",
    scopesText: "Without areas, the key may do what its role may.",
    secret: "The token, shown only once",
    secretDone: "I have kept it",
    secretText: "Turma keeps no copy of it. Save it where it is used before you close this.",
    statuses: { active: "Active", expired: "Expired", revoked: "Revoked", unowned: "Without a holder" },
    title: "Keys"
  },
  {
    address: "De onde",
    adopt: "Assumir",
    adopted: "A chave agora age em seu nome",
    adoptText:
      "A partir de agora ela age em seu nome, com o mesmo token. Se alguém que saiu ainda puder ter esse token, crie outra chave.",
    anywhere: "de qualquer lugar",
    change: "Salvar",
    changed: "Salvo",
    code: "Código",
    codeHint: "Como aparece no terminal. Use só com um terminal seu: quem tem o código entra.",
    create: "Criar a chave",
    created: "Criada",
    edit: "Nome, redes, fim",
    ends: "Termina",
    endsHint: "No fim desse dia, no seu fuso. Em branco: não expira.",
    holder: "Age em nome de",
    lastUsed: "Último uso",
    lead: (active, unused) =>
      `${counted(active, "1 ativa", `${number(active)} ativas`)}; ${
        counted(unused, "1 nunca foi usada", `${number(unused)} nunca foram usadas`)
      }.`,
    leadUnowned: (count) =>
      counted(
        count,
        " 1 sem responsável não funciona até alguém assumir.",
        ` ${number(count)} sem responsável não funcionam até alguém assumir.`
      ),
    letIn: "Deixar um terminal entrar",
    letInDone: (name) => `O terminal tem sua chave: ${name}`,
    listed: "Chaves que terminaram ficam na lista por 91 dias.",
    make: "Criar uma chave",
    name: "Nome",
    nameHint: "Para que serve. Este nome aparece na auditoria do clube.",
    networks: "Redes",
    networksHint: "Uma por linha, como 203.0.113.0/24. Em branco: de qualquer lugar.",
    never: "nunca",
    nobody: "ninguém: não funciona",
    none: "Este clube não tem chaves",
    noneText: "Uma chave deixa entrar um servidor, um script ou um agente sem a senha de ninguém.",
    noRole: "Só por áreas",
    old: "O token anterior também funciona por mais",
    oldText: "Troque o token onde ele é usado; se for tempo demais, revogue a chave.",
    prefix: "Token começa com",
    reaches: { none: "não", read: "lê", write: "lê e escreve" },
    revoke: "Revogar",
    revoked: "A chave foi revogada",
    revokedAt: "Revogada",
    revokeText: (name) =>
      `A partir da próxima requisição, tudo o que usa ${name} é recusado. Não dá para desfazer: outra chave tem outro token.`,
    right: "Pode",
    role: "Papel",
    roleHint:
      "Com áreas também, só pode o que o papel e as áreas permitem, e nunca mais que a pessoa em nome de quem age.",
    rotate: "Novo token",
    rotated: "A chave tem um novo token",
    rotateText:
      "O novo token aparece uma única vez. O anterior funciona por mais 24 horas, para nada parar enquanto você troca.",
    scopes: "Áreas",
    scopesText: "Sem nenhuma, a chave pode tudo o que o papel dela pode.",
    secret: "O token, mostrado só desta vez",
    secretDone: "Já guardei",
    secretText: "A Turma não guarda cópia. Salve o token onde ele será usado antes de fechar.",
    statuses: { active: "Ativa", expired: "Expirada", revoked: "Revogada", unowned: "Sem responsável" },
    title: "Chaves"
  }
)

/** The areas of the API. */
export const areaNames = spoken<Record<KeyArea, string>>(
  {
    agents: "Assistant",
    audit: "Audit log",
    billing: "Billing",
    catalog: "Deliveries",
    clubs: "Club",
    community: "Community",
    content: "Courses",
    gamification: "Gamification",
    lives: "Lives",
    media: "Media",
    mentorships: "Mentorships",
    repositories: "Repositories",
    sales: "Sales",
    students: "Students",
    support: "Support",
    webhooks: "Webhooks"
  },
  {
    agents: "Assistente",
    audit: "Auditoria",
    billing: "Assinatura",
    catalog: "Entregas",
    clubs: "Clube",
    community: "Comunidade",
    content: "Cursos",
    gamification: "Gamificação",
    lives: "Lives",
    media: "Arquivos",
    mentorships: "Mentorias",
    repositories: "Repositórios",
    sales: "Vendas",
    students: "Alunos",
    support: "Suporte",
    webhooks: "Webhooks"
  }
)
