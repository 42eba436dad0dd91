package fairlead.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** What the system tells a program while it runs. */
public final class Signals {
    private Signals() {}

    /**
     * From now on the action answers the signal, such as {@code WINCH}, instead of what Java does.
     * Java hears of signals only by a class that is not part of its official interface, and the
     * compiler warns of that wherever it is named; a runtime without it stays as it is.
     */
    public static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours =
                    Proxy.newProxyInstance(
                            handler.getClassLoader(),
                            new Class<?>[] {handler},
                            (_, method, _) -> {
                                if (method.getName().equals("handle")) action.run();
                                return null;
                            });
            Object wanted = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, wanted, ours);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException _) {
            return;
        }
    }
}
