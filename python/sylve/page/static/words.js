// Every sentence of the page, in English and French.

const WORDS = {
  en: {
    play: "Play", analyse: "Analyse", review: "Review", skip: "Skip to the board", language: "Français",
    theme: "Dark or light", help: "Help", close: "Close", offline: "The server does not answer. Trying again…",
    stranger: "The server was started anew: open the address that it has printed.",
    game: "Game", size: "Board", seconds: "Seconds for a move", first: "First player", second: "Second player", person: "Person",
    searches: "Searches", new_game: "New game", undo: "Undo", hint: "Hint", resign: "Resign", swap: "Swap sides",
    type_move: "Type a move", play_it: "Play", record: "Game record", save: "Save", load: "Load a file", usual: "usual size", paste: "Paste a record or a position",
    read: "Read it", to_move: "{who} to move", won: "{who} wins", won_by: "{who} wins by {points}", draw: "The game is a draw",
    resigned: "{loser} resigns: {who} wins", thinking: "{who} is thinking…", played: "{who} plays {move}.", hint_is: "Hint: {move}",
    looking_back: "Move {at} of {all}", empty: "empty", can_play: "can be played", can_move: "can move", board_of: "Board of {game}",
    other_moves: "Other moves", move_list: "Moves", begin: "To the beginning", back: "One move back", on: "One move on", end: "To the end",
    search: "Search", second_search: "Second search (empty: none)", number: "Colours on the board", seed: "Seed", threads: "Threads", memory: "Memory (MiB)", playouts: "Playouts",
    start: "Start", pause: "Pause", deeper: "Twice as deep", visits: "visits", mean: "mean (%)", amaf: "AMAF mean (%)", beta: "beta", exploration: "exploration", exact: "exact value",
    move: "move", error: "error", speed: "{playouts} playouts · {speed}/s · {nodes} nodes · {memory}", full: "the memory is full", solve: "Exact values",
    why_visits: "{best} is chosen for the most visits: {visits} of {playouts}.", why_mean: "{other} has a higher mean ({high} % against {low} %), from {visits} visits only: with few visits a mean is uncertain, and the search trusts what it has tried most.",
    why_proven: "{best} is proven: {result}.", win: "it wins", loss: "every move loses", why_draw: "it draws, and no move wins", why_best_mean: "It also has the highest mean, {mean} %.",
    value_curve: "Value of the best move (%)", tree: "Tree", nothing_yet: "No search yet: press Start.", over: "The game is over: nothing to search.",
    exact_value: "Exact value for the side to move: {value}", unsolved: "Not solved in time.", legend: "{number}: from {low} to {high}",
    review_it: "Review the game", stop: "Stop", progress: "{done} of {all} positions", loss_column: "loss (%)", best: "best", before: "before", after: "after", no_moves: "Play or load a game first.",
    worst: "Largest losses first", export_html: "Save as HTML", export_json: "Save with analysis (JSON)", export_sgf: "Save with analysis (SGF)", first_value: "Value for the first player (%)",
    help_text: "Arrow keys move on the board, Enter plays. U: undo. H: hint. N: new game. S: start or pause the search. V: hide or show the colours. Comma and full stop: back and on. Escape: stop everything.",
    White: "White", Black: "Black", Red: "Red", Yellow: "Yellow", move_pass: "pass", move_swap: "swap",
  },
  fr: {
    play: "Jouer", analyse: "Analyser", review: "Revoir", skip: "Aller au plateau", language: "English",
    theme: "Sombre ou clair", help: "Aide", close: "Fermer", offline: "Le serveur ne répond pas. Nouvel essai…",
    stranger: "Le serveur a redémarré : ouvrez l'adresse qu'il a affichée.",
    game: "Jeu", size: "Plateau", seconds: "Secondes par coup", first: "Premier joueur", second: "Second joueur", person: "Personne",
    searches: "Recherches", new_game: "Nouvelle partie", undo: "Annuler", hint: "Conseil", resign: "Abandonner", swap: "Changer de camp",
    type_move: "Écrire un coup", play_it: "Jouer", record: "Partie enregistrée", save: "Enregistrer", load: "Ouvrir un fichier", usual: "taille usuelle", paste: "Coller une partie ou une position",
    read: "Lire", to_move: "Trait à {who}", won: "{who} gagne", won_by: "{who} gagne de {points}", draw: "Partie nulle",
    resigned: "{loser} abandonne : {who} gagne", thinking: "{who} réfléchit…", played: "{who} joue {move}.", hint_is: "Conseil : {move}",
    looking_back: "Coup {at} sur {all}", empty: "vide", can_play: "jouable", can_move: "peut bouger", board_of: "Plateau de {game}",
    other_moves: "Autres coups", move_list: "Coups", begin: "Au début", back: "Un coup en arrière", on: "Un coup en avant", end: "À la fin",
    search: "Recherche", second_search: "Seconde recherche (vide : aucune)", number: "Couleurs du plateau", seed: "Graine", threads: "Fils", memory: "Mémoire (Mio)", playouts: "Simulations",
    start: "Lancer", pause: "Pause", deeper: "Deux fois plus loin", visits: "visites", mean: "moyenne (%)", amaf: "moyenne AMAF (%)", beta: "bêta", exploration: "exploration", exact: "valeur exacte",
    move: "coup", error: "erreur", speed: "{playouts} simulations · {speed}/s · {nodes} nœuds · {memory}", full: "la mémoire est pleine", solve: "Valeurs exactes",
    why_visits: "{best} est choisi car il a le plus de visites : {visits} sur {playouts}.", why_mean: "{other} a une moyenne plus haute ({high} % contre {low} %), mais sur {visits} visites seulement : avec peu de visites une moyenne est incertaine, et la recherche se fie à ce qu'elle a le plus essayé.",
    why_proven: "{best} est prouvé : {result}.", win: "il gagne", loss: "tous les coups perdent", why_draw: "il fait nulle, et aucun coup ne gagne", why_best_mean: "Il a aussi la plus haute moyenne, {mean} %.",
    value_curve: "Valeur du meilleur coup (%)", tree: "Arbre", nothing_yet: "Pas encore de recherche : appuyez sur Lancer.", over: "La partie est finie : rien à chercher.",
    exact_value: "Valeur exacte pour le joueur au trait : {value}", unsolved: "Pas résolu à temps.", legend: "{number} : de {low} à {high}",
    review_it: "Revoir la partie", stop: "Arrêter", progress: "{done} positions sur {all}", loss_column: "perte (%)", best: "meilleur", before: "avant", after: "après", no_moves: "Jouez ou ouvrez d'abord une partie.",
    worst: "Les plus grandes pertes d'abord", export_html: "Enregistrer en HTML", export_json: "Enregistrer avec l'analyse (JSON)", export_sgf: "Enregistrer avec l'analyse (SGF)", first_value: "Valeur pour le premier joueur (%)",
    help_text: "Les flèches déplacent sur le plateau, Entrée joue. U : annuler. H : conseil. N : nouvelle partie. S : lancer ou arrêter la recherche. V : cacher ou montrer les couleurs. Virgule et point : reculer et avancer. Échap : tout arrêter.",
    White: "Blanc", Black: "Noir", Red: "Rouge", Yellow: "Jaune", move_pass: "passer", move_swap: "échanger",
  },
};
let current = "en";

export function setLanguage(wanted) {
  current = wanted in WORDS ? wanted : "en";
  document.documentElement.lang = current;
}
export const language = () => current;

/** A sentence, with what stands in braces filled in; the key itself if there is none. */
export function t(key, given = {}) {
  const text = WORDS[current][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in given ? given[name] : whole));
}
export const colour = (name) => t(name);
export const keys = () => Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, Object.keys(words)]));
